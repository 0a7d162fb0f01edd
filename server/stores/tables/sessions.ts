import type { Session } from '#server/domain/access/session.ts';
import type { SessionsTable } from '#server/domain/access/sessions-table.ts';
import { record } from './columns.ts';
import { table, type Rows, where } from './rows.ts';

const sessions = table(
  'sessions',
  record<Session>({ hash: 'hash', keyHash: 'key_hash', expiresAt: 'expires_at', wrongCodes: 'wrong_codes' }),
);

/** Sessions of the approval page. */
export function sessionsTable(rows: Rows): SessionsTable {
  return {
    find: async (hash) => rows.one(sessions, where('hash'), hash),
    async add(session) {
      await rows.insert(sessions, session);
    },
    async countWrongCode(hash) {
      const count = 'UPDATE sessions SET wrong_codes = wrong_codes + 1 WHERE hash = ? RETURNING wrong_codes';
      return (await rows.value<number>(count, hash)) ?? 0;
    },
    async remove(hash) {
      await rows.write('DELETE FROM sessions WHERE hash = ?', hash);
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('sessions', 'hash', 'expires_at <= ? ORDER BY expires_at', at, limit),
  };
}
