import type { DatabaseSync } from 'node:sqlite';

import type { ClockJump, ClockJumpTable } from '#server/domain/jobs/table.ts';
import { statement } from './connection.ts';

/** The jump of the clock that waits for an operator, over one connection. */
export class SqliteClockJump implements ClockJumpTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(): Promise<ClockJump | undefined> {
    const row = statement(this.#db(), 'SELECT noticed_at, by_ms FROM clock_jump').get();
    return row && { noticedAt: Number(row.noticed_at), byMs: Number(row.by_ms) };
  }

  async save({ noticedAt, byMs }: ClockJump): Promise<void> {
    statement(this.#db(), 'INSERT OR REPLACE INTO clock_jump (one, noticed_at, by_ms) VALUES (1, ?, ?)').run(
      noticedAt,
      byMs,
    );
  }

  async clear(): Promise<boolean> {
    return statement(this.#db(), 'DELETE FROM clock_jump').run().changes > 0;
  }
}
