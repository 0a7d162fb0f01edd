import type { DatabaseSync } from 'node:sqlite';

import type { Account } from '#server/domain/account/account.ts';
import type { AccountsTable } from '#server/domain/account/table.ts';
import { startOfDay, startOfMonth, unsettledDays, type MeteredUsage } from '#server/domain/account/usage-days.ts';
import { maxReplacingBytes } from '#server/domain/limits.ts';
import type { Plan } from '#server/domain/plan.ts';
import { statement } from './connection.ts';

interface AccountRow {
  readonly account_id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly created_at: number;
  readonly quota_bytes: number | null;
  readonly ai_tokens_per_day: number | null;
  readonly used_bytes: number;
  readonly used_objects: number;
  readonly reserved_bytes: number;
  readonly flowing_bytes: number;
  readonly revision: number;
}

interface UsageRow {
  readonly used_bytes: number;
  readonly used_objects: number;
  readonly metered_from: number;
  readonly settled_at: number;
  readonly day: number | null;
  readonly byte_ms: string | null;
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.account_id,
    name: row.name,
    plan: row.plan,
    createdAt: row.created_at,
    quotaBytes: row.quota_bytes,
    aiTokensPerDay: row.ai_tokens_per_day,
    usedBytes: row.used_bytes,
    usedObjects: row.used_objects,
    reservedBytes: row.reserved_bytes,
    flowingBytes: row.flowing_bytes,
    revision: row.revision,
  };
}

/**
 * One conditional update, so that parallel uploads can never pass the quota together; answers whether the bytes fitted.
 */
export function takeReserved(db: DatabaseSync, accountId: string, sizeBytes: number, quotaBytes: number): boolean {
  const { changes } = statement(
    db,
    `UPDATE accounts SET reserved_bytes = reserved_bytes + :size
     WHERE account_id = :account AND used_bytes + reserved_bytes + :size <= :quota
       AND used_bytes + reserved_bytes + flowing_bytes + :size <= :quota + :beyond`,
  ).run({ size: sizeBytes, account: accountId, quota: quotaBytes, beyond: maxReplacingBytes });
  return changes === 1;
}

/** Accounts, over one connection. */
export class SqliteAccounts implements AccountsTable {
  readonly #db: () => DatabaseSync;
  readonly #now: number;

  /** @param now the instant of the transaction; readers need none */
  constructor(db: () => DatabaseSync, now = 0) {
    this.#db = db;
    this.#now = now;
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
    statement(
      this.#db(),
      'INSERT INTO accounts (account_id, name, plan, created_at, metered_from, settled_at) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(id, name, plan, createdAt, createdAt, createdAt);
  }

  async usageOf(accountId: string): Promise<MeteredUsage | undefined> {
    // One statement, so that the days and what is stored now belong together.
    const rows = statement(
      this.#db(),
      `SELECT used_bytes, used_objects, metered_from, settled_at, day, byte_ms
       FROM accounts LEFT JOIN usage_days USING (account_id) WHERE account_id = ? ORDER BY day`,
    ).all(accountId) as unknown as UsageRow[];
    const [first] = rows;
    return (
      first && {
        usedBytes: first.used_bytes,
        usedObjects: first.used_objects,
        meteredFrom: first.metered_from,
        settledAt: first.settled_at,
        days: rows.flatMap(({ day, byte_ms: byteMs }) => (day === null ? [] : [{ day, byteMs: BigInt(byteMs!) }])),
      }
    );
  }

  async setPlan(accountId: string, plan: Plan): Promise<boolean> {
    return (
      statement(this.#db(), 'UPDATE accounts SET plan = ? WHERE account_id = ?').run(plan, accountId).changes === 1
    );
  }

  async setQuota(accountId: string, quotaBytes: number | null): Promise<boolean> {
    return (
      statement(this.#db(), 'UPDATE accounts SET quota_bytes = ? WHERE account_id = ?').run(quotaBytes, accountId)
        .changes === 1
    );
  }

  async setAiBudget(accountId: string, tokensPerDay: number | null): Promise<boolean> {
    return (
      statement(this.#db(), 'UPDATE accounts SET ai_tokens_per_day = ? WHERE account_id = ?').run(
        tokensPerDay,
        accountId,
      ).changes === 1
    );
  }

  async hold(accountId: string, bytes: number, quotaBytes: number): Promise<boolean> {
    return takeReserved(this.#db(), accountId, bytes, quotaBytes);
  }

  async giveBack(accountId: string, bytes: number): Promise<void> {
    statement(this.#db(), 'UPDATE accounts SET reserved_bytes = reserved_bytes - ? WHERE account_id = ?').run(
      bytes,
      accountId,
    );
  }

  async addUsage(
    accountId: string,
    { bytes, objects }: { readonly bytes: number; readonly objects: number },
  ): Promise<void> {
    this.#settle(accountId);
    statement(
      this.#db(),
      `UPDATE accounts SET used_bytes = used_bytes + ?, used_objects = used_objects + ?, revision = revision + 1, settled_at = ?
       WHERE account_id = ?`,
    ).run(bytes, objects, this.#now, accountId);
  }

  /** Adds what was stored since the last change to the days that it was stored on. Only this month's are kept. */
  #settle(accountId: string): void {
    const row = statement(this.#db(), 'SELECT used_bytes, settled_at FROM accounts WHERE account_id = ?').get(
      accountId,
    );
    if (!row) return;
    const usage = { usedBytes: Number(row.used_bytes), settledAt: Number(row.settled_at) };
    if (startOfDay(usage.settledAt) !== startOfDay(this.#now)) {
      // Later days are those of a clock that was put back since.
      statement(this.#db(), 'DELETE FROM usage_days WHERE account_id = ? AND (day < ? OR day > ?)').run(
        accountId,
        startOfMonth(this.#now),
        this.#now,
      );
    }
    for (const { day, byteMs } of unsettledDays(usage, this.#now)) {
      const known = statement(this.#db(), 'SELECT byte_ms FROM usage_days WHERE account_id = ? AND day = ?').get(
        accountId,
        day,
      );
      const sum = byteMs + BigInt(String(known?.byte_ms ?? 0));
      statement(this.#db(), 'INSERT OR REPLACE INTO usage_days (account_id, day, byte_ms) VALUES (?, ?, ?)').run(
        accountId,
        day,
        String(sum),
      );
    }
  }
}
