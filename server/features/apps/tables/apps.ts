import type { Account } from '#server/domain/account/account.ts';
import { builtInApp, type App } from '../app.ts';
import type { AppsTable } from '../table.ts';
import { flag, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const apps = table(
  'apps',
  record<App>({
    id: 'app_id',
    ...snakeCase('accountId', 'name', 'createdAt'),
    isBuiltIn: flag('is_built_in'),
  }),
);

export function appsTable(rows: Rows): AppsTable {
  return {
    find: async (appId) => rows.one(apps, where('app_id'), appId),
    listOf: async (accountId) =>
      rows.all(apps, 'WHERE account_id = ? ORDER BY is_built_in DESC, created_at, app_id', accountId),
    async add(app) {
      await rows.insert(apps, app);
    },
  };
}

/** Adds the built-in application of a new account. */
export async function addBuiltInApp(rows: Rows, account: Pick<Account, 'id' | 'createdAt'>): Promise<void> {
  await rows.insert(apps, builtInApp(account.id, account.createdAt));
}
