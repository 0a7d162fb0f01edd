import { expect, it } from 'vitest';

import { accountTables } from '#server/stores/tables/account-rows.ts';
import { openSqliteStores } from '#test/support/stores.ts';

/** Their rows go with the files and the open uploads, or with the account itself. */
const removedElsewhere = ['objects', 'reservations', 'trash', 'chat_leases', 'account_purges', 'accounts'];

it('the removal of an account names every table that refers to accounts', async () => {
  const stores = await openSqliteStores();
  const { writer } = stores.connections;
  const tables = writer.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as Array<{ name: string }>;
  const referring = tables
    .map(({ name }) => name)
    .filter((name) =>
      writer
        .prepare(`PRAGMA foreign_key_list(${name})`)
        .all()
        .some(({ table }) => table === 'accounts'),
    );
  const removed = [...accountTables.map(([name]) => name), ...removedElsewhere];
  expect(referring.length).toBeGreaterThan(15);
  expect(referring.filter((name) => !removed.includes(name))).toEqual([]);
  await stores.close();
});
