import type { BrowserSession } from '#server/domain/sessions/browser-session.ts';
import type { BrowserSessionsTable, SessionOwner } from '#server/domain/sessions/table.ts';
import { type Fields, record, snakeCase } from './columns.ts';
import { table, type Rows, where } from './rows.ts';

const fields: Fields<BrowserSession> = {
  id: 'session_id',
  ...snakeCase('accountId', 'keyId', 'createdAt', 'lastUsedAt', 'expiresAt', 'sourceIp', 'userAgent'),
};

const sessions = table('browser_sessions', record<BrowserSession>(fields));
const newSessions = table(
  'browser_sessions',
  record<BrowserSession & { readonly hash: Uint8Array }>({ ...fields, hash: 'hash' }),
);

/** Returns the condition of an owner's rows, and its value. */
function ofOwner(owner: SessionOwner): readonly [string, string] {
  return 'accountId' in owner ? ['account_id = ?', owner.accountId] : ['key_id = ?', owner.keyId];
}

/** Sessions of the console. */
export function browserSessionsTable(rows: Rows): BrowserSessionsTable {
  return {
    findByHash: async (hash) => rows.one(sessions, where('hash'), hash),
    liveOf: async (accountId, now) =>
      rows.all(
        sessions,
        'WHERE account_id = ? AND expires_at > ? ORDER BY created_at DESC, session_id DESC',
        accountId,
        now,
      ),
    async add(session, hash) {
      await rows.insert(newSessions, { ...session, hash });
    },
    async removeSurplus(owner, count, now) {
      const [condition, value] = ofOwner(owner);
      await rows.write(`DELETE FROM browser_sessions WHERE ${condition} AND expires_at <= ?`, value, now);
      const surplus = `SELECT session_id FROM browser_sessions WHERE ${condition}
        ORDER BY created_at DESC, session_id LIMIT 1000 OFFSET ?`;
      for (const id of await rows.values<string>(surplus, value, count - 1))
        await rows.write('DELETE FROM browser_sessions WHERE session_id = ?', id);
    },
    async noteUse(sessionId, now) {
      await rows.write('UPDATE browser_sessions SET last_used_at = ? WHERE session_id = ?', now, sessionId);
    },
    async end(sessionId, accountId, now) {
      const isOwn = accountId === null ? 'account_id IS NULL' : 'account_id = ?';
      const sql = `DELETE FROM browser_sessions WHERE session_id = ? AND expires_at > ? AND ${isOwn}`;
      return (await rows.run(sql, sessionId, now, ...(accountId === null ? [] : [accountId]))) === 1;
    },
    async endThoseOf(owner) {
      const [condition, value] = ofOwner(owner);
      await rows.write(`DELETE FROM browser_sessions WHERE ${condition}`, value);
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('browser_sessions', 'session_id', 'expires_at <= ? ORDER BY expires_at', at, limit),
  };
}
