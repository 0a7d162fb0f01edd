import type { DatabaseSync } from 'node:sqlite';

import type { LimitWindow, LimitWindowsTable } from '#server/domain/ports/limit-windows.ts';
import { statement } from './connection.ts';

/** Rate limits that survive a restart, over the connection that writes. */
export class SqliteLimitWindows implements LimitWindowsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async save({ key, used, endsAt, blockedUntil }: LimitWindow): Promise<void> {
    statement(
      this.#db(),
      'INSERT OR REPLACE INTO limit_windows (key, used, ends_at, blocked_until) VALUES (?, ?, ?, ?)',
    ).run(key, used, endsAt, blockedUntil);
  }

  async takeLive(now: number): Promise<LimitWindow[]> {
    statement(this.#db(), 'DELETE FROM limit_windows WHERE max(ends_at, blocked_until) <= ?').run(now);
    const rows = statement(this.#db(), 'SELECT * FROM limit_windows').all();
    return rows.map((row) => ({
      key: String(row.key),
      used: Number(row.used),
      endsAt: Number(row.ends_at),
      blockedUntil: Number(row.blocked_until),
    }));
  }
}
