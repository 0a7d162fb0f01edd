import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { isBusy } from '../sqlite/database-errors.ts';
import type { MovedRow } from './rows.ts';
import { StoredRows } from './stored-rows.ts';

/** How long a transaction of the move waits while a server holds the database's lock. */
const lockTimeoutMs = 10_000;

/** The rows of a SQLite database that are moved. Other processes may write it meanwhile. */
export class SqliteMovableRows extends StoredRows {
  protected readonly lengths = [1];
  protected readonly columnsOfTables = `
    SELECT stored.name, info.name, info.type = 'BLOB', nullif(info.pk, 0)
    FROM sqlite_schema AS stored JOIN pragma_table_info(stored.name) AS info
    WHERE stored.type = 'table' ORDER BY stored.name, info.cid`;
  protected readonly db: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  /** @param db a connection that writes. It is closed with this object */
  constructor(db: DatabaseSync, address: string) {
    super(address);
    this.db = db;
  }

  /** SQLite keeps the last number, and only for columns that never use one twice. */
  async sequences(): Promise<ReadonlyMap<string, number>> {
    const has = this.all("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").length > 0;
    const rows = has ? this.all('SELECT name, seq FROM sqlite_sequence') : [];
    const keys = new Map((await this.shapes()).map(({ name, key }) => [name, key[0]]));
    return new Map(
      rows
        .filter(([name]) => keys.has(name as string))
        .map(([name, seq]) => [`${name}.${keys.get(name as string)}`, Number(seq) + 1]),
    );
  }

  async close(): Promise<void> {
    if (this.db.isOpen) this.db.close();
  }

  protected all(sql: string, values: MovedRow = []): MovedRow[] {
    return this.prepared(sql).all(...(values as SQLInputValue[])) as unknown as MovedRow[];
  }

  protected run(sql: string, values: MovedRow = []): number {
    return Number(this.prepared(sql).run(...(values as SQLInputValue[])).changes);
  }

  /** Runs `work` in a transaction, which is undone when `work` throws. Waits while a server holds the lock. */
  protected async inTransaction<T>(work: () => T): Promise<T> {
    await this.#begin();
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const giveUpAt = performance.now() + lockTimeoutMs;
    for (;;) {
      try {
        return this.db.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
        await sleep(1 + Math.random() * 4);
      }
    }
  }

  protected prepared(sql: string): ReturnType<DatabaseSync['prepare']> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      this.#statements.set(sql, (statement = this.db.prepare(sql)));
      statement.setReturnArrays(true);
    }
    return statement;
  }
}
