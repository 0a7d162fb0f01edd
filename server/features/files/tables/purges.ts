import type { AccountPurge, NewPurge, PurgesReader, PurgesTable, TakenPurge, WaitingPurge } from '../purges-table.ts';
import { record } from '#server/stores/tables/columns.ts';
import { spaceColumn } from '#server/stores/tables/address-columns.ts';
import { rowOf, table, type Rows, type TableContext } from '#server/stores/tables/rows.ts';

const purges = table(
  'purges',
  record<TakenPurge>({ id: 'purge_id', url: 'url', failedTries: 'failed_tries', mostTogether: 'most_together' }),
);

const newPurges = table(
  'purges',
  record<NewPurge>({ id: 'purge_id', url: 'url', changeId: 'change_id', dueAt: 'due_at' }),
);

const waiting = table(
  'purges',
  record<WaitingPurge>({ id: 'purge_id', url: 'url', failedTries: 'failed_tries', dueAt: 'due_at' }),
);

const accounts = table(
  'account_purges',
  record<AccountPurge>({ accountId: 'account_id', space: spaceColumn, lastKey: 'last_key' }),
  'account_id',
);

/** Public URLs that the CDN has yet to drop. */
export function purgesTable(rows: Rows, context: Pick<TableContext, 'now'>): PurgesTable & PurgesReader {
  /** Two processes that take the same rows conflict, and the second one runs again. */
  async function taken(found: readonly TakenPurge[], dueAgainAt: number): Promise<TakenPurge[]> {
    for (const { id } of found) await rows.write('UPDATE purges SET due_at = ? WHERE purge_id = ?', dueAgainAt, id);
    return [...found];
  }

  const anyAccount = async () => (await rows.one(accounts, 'LIMIT 1')) !== undefined;

  return {
    async add(purge) {
      await rows.write(newPurges.insert, ...rowOf(newPurges, purge));
    },
    async takeNew(limit, dueAgainAt) {
      const which = 'WHERE failed_tries = 0 AND due_at <= ? ORDER BY purge_id LIMIT ?';
      return taken(await rows.all(purges, which, context.now, limit), dueAgainAt);
    },
    async takeFailed(dueAgainAt) {
      const due = 'WHERE failed_tries > 0 AND due_at <= ?';
      const first = await rows.one(purges, `${due} ORDER BY due_at, purge_id LIMIT 1`, context.now);
      if (!first) return [];
      const { mostTogether } = first;
      const alike = `${due} AND most_together = ? ORDER BY due_at, purge_id LIMIT ?`;
      return taken(await rows.all(purges, alike, context.now, mostTogether, mostTogether), dueAgainAt);
    },
    async putBack({ id, failedTries, mostTogether }, dueAt) {
      const change = 'UPDATE purges SET failed_tries = ?, most_together = ?, due_at = ? WHERE purge_id = ?';
      await rows.write(change, failedTries, mostTogether, dueAt, id);
    },
    async remove(id) {
      await rows.write('DELETE FROM purges WHERE purge_id = ?', id);
    },
    async removeOfChange(changeId, url) {
      if (url === undefined) await rows.write('DELETE FROM purges WHERE change_id = ?', changeId);
      else await rows.write('DELETE FROM purges WHERE change_id = ? AND url = ?', changeId, url);
    },
    async count(limit) {
      const count = 'SELECT COUNT(*) FROM (SELECT 1 FROM purges LIMIT ?) AS waiting';
      return (await rows.value<number>(count, limit)) ?? 0;
    },
    page: async (afterId, limit) => rows.all(waiting, 'WHERE purge_id > ? ORDER BY purge_id LIMIT ?', afterId, limit),
    addAccount: async (accountId) => rows.put(accounts, { accountId, space: 'public', lastKey: null }),
    nextAccount: async () => rows.one(accounts, 'ORDER BY account_id LIMIT 1'),
    saveAccount: async (purge) => rows.put(accounts, purge),
    async removeAccount(accountId) {
      await rows.write('DELETE FROM account_purges WHERE account_id = ?', accountId);
    },
    anyAccount,
    any: async () => (await rows.one(purges, 'LIMIT 1')) !== undefined || anyAccount(),
  };
}
