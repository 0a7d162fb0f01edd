import type { DatabaseSync } from 'node:sqlite';

import type { Account } from '#server/domain/account/account.ts';
import type { AccountsTable } from '#server/domain/account/table.ts';
import type { Plan } from '#server/domain/plan.ts';
import { statement } from './connection.ts';

interface AccountRow {
  readonly account_id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly created_at: number;
  readonly quota_bytes: number | null;
  readonly used_bytes: number;
  readonly used_objects: number;
  readonly reserved_bytes: number;
  readonly revision: number;
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.account_id,
    name: row.name,
    plan: row.plan,
    createdAt: row.created_at,
    quotaBytes: row.quota_bytes,
    usedBytes: row.used_bytes,
    usedObjects: row.used_objects,
    reservedBytes: row.reserved_bytes,
    revision: row.revision,
  };
}

/** Accounts, over one connection. */
export class SqliteAccounts implements AccountsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(accountId: string): Promise<Account | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM accounts WHERE account_id = ?').get(accountId);
    return row && accountOf(row as unknown as AccountRow);
  }

  async list(): Promise<Account[]> {
    const rows = statement(this.#db(), 'SELECT * FROM accounts ORDER BY created_at, account_id').all();
    return (rows as unknown as AccountRow[]).map(accountOf);
  }

  async add({ id, name, plan, createdAt }: Pick<Account, 'id' | 'name' | 'plan' | 'createdAt'>): Promise<void> {
    statement(this.#db(), 'INSERT INTO accounts (account_id, name, plan, created_at) VALUES (?, ?, ?, ?)').run(id, name, plan, createdAt);
  }

  async setPlan(accountId: string, plan: Plan): Promise<boolean> {
    return statement(this.#db(), 'UPDATE accounts SET plan = ? WHERE account_id = ?').run(plan, accountId).changes === 1;
  }

  async setQuota(accountId: string, quotaBytes: number | null): Promise<boolean> {
    return statement(this.#db(), 'UPDATE accounts SET quota_bytes = ? WHERE account_id = ?').run(quotaBytes, accountId).changes === 1;
  }

  async addUsage(accountId: string, { bytes, objects }: { readonly bytes: number; readonly objects: number }): Promise<void> {
    statement(
      this.#db(),
      `UPDATE accounts SET used_bytes = used_bytes + ?, used_objects = used_objects + ?, revision = revision + 1
       WHERE account_id = ?`,
    ).run(bytes, objects, accountId);
  }
}
