import type { DatabaseSync } from 'node:sqlite';

import type { Rule } from '#server/domain/rules/rule.ts';
import type { RulesTable } from '#server/domain/rules/table.ts';
import { statement } from './connection.ts';

interface RuleRow {
  readonly prefix: string;
  readonly private: number | null;
  readonly expire_hours: number | null;
  readonly max_size_bytes: number | null;
  readonly extensions: string | null;
  readonly cache_control: string | null;
  readonly delete_after_days: number | null;
  readonly created_at: number;
}

function ruleOf(row: RuleRow): Rule {
  return {
    prefix: row.prefix,
    isPrivate: row.private === null ? null : row.private === 1,
    expire: row.expire_hours === null ? null : { hours: row.expire_hours },
    maxSizeBytes: row.max_size_bytes,
    extensions: row.extensions === null ? null : (JSON.parse(row.extensions) as string[]),
    cacheControl: row.cache_control,
    deleteAfterDays: row.delete_after_days,
    createdAt: row.created_at,
  };
}

/** Prefix rules, over one connection. */
export class SqliteRules implements RulesTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async listOf(accountId: string): Promise<Rule[]> {
    const rows = statement(this.#db(), 'SELECT * FROM rules WHERE account_id = ? ORDER BY prefix').all(accountId);
    return (rows as unknown as RuleRow[]).map(ruleOf);
  }

  async accountsThatDelete(): Promise<string[]> {
    const rows = statement(
      this.#db(),
      'SELECT DISTINCT account_id FROM rules WHERE delete_after_days IS NOT NULL ORDER BY account_id',
    ).all();
    return rows.map((row) => String(row.account_id));
  }

  async sweptUntil(accountId: string, prefix: string): Promise<number | undefined> {
    const row = statement(this.#db(), 'SELECT swept_until FROM rules WHERE account_id = ? AND prefix = ?').get(
      accountId,
      prefix,
    );
    return (row?.swept_until as number | null | undefined) ?? undefined;
  }

  async noteSwept(accountId: string, prefix: string, until: number): Promise<void> {
    statement(this.#db(), 'UPDATE rules SET swept_until = ? WHERE account_id = ? AND prefix = ?').run(
      until,
      accountId,
      prefix,
    );
  }

  async replaceAll(accountId: string, rules: readonly Rule[]): Promise<void> {
    statement(this.#db(), 'DELETE FROM rules WHERE account_id = ?').run(accountId);
    const insert = statement(
      this.#db(),
      `INSERT INTO rules (account_id, prefix, private, expire_hours, max_size_bytes, extensions, cache_control, delete_after_days, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const rule of rules) {
      insert.run(
        accountId,
        rule.prefix,
        rule.isPrivate === null ? null : Number(rule.isPrivate),
        rule.expire && rule.expire.hours,
        rule.maxSizeBytes,
        rule.extensions && JSON.stringify(rule.extensions),
        rule.cacheControl,
        rule.deleteAfterDays,
        rule.createdAt,
      );
    }
  }
}
