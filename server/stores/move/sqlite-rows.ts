import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { isBusy } from '../sqlite/database-errors.ts';
import type { MovableRows, MovedRow, MovedTable, TableShape } from './rows.ts';

/** How long a transaction of the move waits while a server holds the database's lock. */
const lockTimeoutMs = 10_000;

/** Tables of SQLite, of the migrations and of the move itself. */
const isOwn = (name: string) => !/^(sqlite_|store_move|schema_migrations$)/.test(name);

/** Names are quoted, because a column is called `offset`. */
export const quoted = (name: string) => `"${name}"`;
export const listOf = (names: readonly string[]) => names.map(quoted).join(', ');

/** The rows of a SQLite database that are moved. Other processes may write it meanwhile. */
export class SqliteMovableRows implements MovableRows {
  readonly address: string;
  protected readonly db: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  /** @param db a connection that writes. It is closed with this object */
  constructor(db: DatabaseSync, address: string) {
    this.db = db;
    this.address = address;
  }

  async shapes(): Promise<TableShape[]> {
    const names = this.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(([name]) => name);
    return (names as string[]).filter(isOwn).map((name) => {
      const columns = this.all(`SELECT name, type, pk FROM pragma_table_info('${name}') ORDER BY cid`);
      const inKey = columns.filter(([, , place]) => Number(place) > 0).sort((a, b) => Number(a[2]) - Number(b[2]));
      return {
        name,
        columns: columns.map(([column]) => column as string),
        key: inKey.map(([column]) => column as string),
        binary: columns.filter(([, type]) => type === 'BLOB').map(([column]) => column as string),
      };
    });
  }

  async count({ name, where = 'TRUE' }: Pick<MovedTable, 'name' | 'where'>): Promise<number> {
    return this.all(`SELECT count(*) FROM ${quoted(name)} WHERE ${where}`)[0]![0] as number;
  }

  async read(table: MovedTable, after: MovedRow | null, limit: number): Promise<MovedRow[]> {
    const behind = conditions(table, after !== null && comparison(table, '>'));
    return this.all(`${select(table)} ${behind} ORDER BY ${listOf(table.key)} LIMIT ?`, [...(after ?? []), limit]);
  }

  async readRange(table: MovedTable, after: MovedRow | null, last: MovedRow | null): Promise<MovedRow[]> {
    const where = conditions(table, after !== null && comparison(table, '>'), last !== null && comparison(table, '<='));
    const values = [...(after ?? []), ...(last ?? [])];
    return this.all(`${select(table)} ${where} ORDER BY ${listOf(table.key)}`, values);
  }

  async find(table: MovedTable, keys: readonly MovedRow[]): Promise<MovedRow[]> {
    const where = conditions(table, comparison(table, '='));
    return keys.flatMap((key) => this.all(`${select(table)} ${where}`, key));
  }

  /** SQLite keeps the last number, and only for columns that never use one twice. */
  async sequences(): Promise<ReadonlyMap<string, number>> {
    const has = this.all("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").length > 0;
    const rows = has ? this.all('SELECT name, seq FROM sqlite_sequence') : [];
    const keys = new Map((await this.shapes()).map(({ name, key }) => [name, key[0]]));
    return new Map(
      rows
        .filter(([name]) => isOwn(name as string))
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

export function select({ name, columns }: MovedTable): string {
  return `SELECT ${listOf(columns)} FROM ${quoted(name)}`;
}

export function conditions({ where }: MovedTable, ...others: ReadonlyArray<string | false>): string {
  const all = [where, ...others].filter(Boolean);
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}

function comparison({ key }: MovedTable, operator: '=' | '>' | '<='): string {
  return `(${listOf(key)}) ${operator} (${key.map(() => '?').join(', ')})`;
}
