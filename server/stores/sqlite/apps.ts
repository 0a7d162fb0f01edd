import type { DatabaseSync } from 'node:sqlite';

import type { App } from '#server/domain/apps/app.ts';
import type { AppsTable } from '#server/domain/apps/table.ts';
import { statement } from './connection.ts';

interface AppRow {
  readonly app_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly created_at: number;
  readonly is_built_in: number;
}

function appOf(row: AppRow): App {
  return {
    id: row.app_id,
    accountId: row.account_id,
    name: row.name,
    createdAt: row.created_at,
    isBuiltIn: row.is_built_in === 1,
  };
}

/** Applications, over one connection. */
export class SqliteApps implements AppsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(appId: string): Promise<App | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM apps WHERE app_id = ?').get(appId);
    return row && appOf(row as unknown as AppRow);
  }

  async listOf(accountId: string): Promise<App[]> {
    const rows = statement(
      this.#db(),
      'SELECT * FROM apps WHERE account_id = ? ORDER BY is_built_in DESC, created_at, app_id',
    ).all(accountId);
    return (rows as unknown as AppRow[]).map(appOf);
  }

  async add({ id, accountId, name, createdAt, isBuiltIn }: App): Promise<void> {
    statement(
      this.#db(),
      'INSERT INTO apps (app_id, account_id, name, created_at, is_built_in) VALUES (?, ?, ?, ?, ?)',
    ).run(id, accountId, name, createdAt, Number(isBuiltIn));
  }
}
