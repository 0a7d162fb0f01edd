import type { DatabaseSync, StatementSync } from 'node:sqlite';

import {
  rowOf,
  textOf,
  type Rest,
  type Rows,
  type SqlValue,
  type Table,
  type Values,
} from '#server/stores/tables/rows.ts';
import { changedBy, statement, type Changes } from './connection.ts';
import type { RowCache } from './row-cache.ts';

/**
 * The rows behind a connection, which are there at once. Each text of SQL stays prepared as long as the connection
 * lives. Each call asks for the connection anew, so that work that outlives its transaction fails instead of writing
 * into another's.
 */
export class SqliteRows implements Rows {
  readonly #db: () => DatabaseSync;
  readonly #cache: RowCache | undefined;
  readonly #onChange: ((changes: Changes, values: Values) => void) | undefined;

  /**
   * @param cache of a connection that only reads; without it, every call reads
   * @param onChange called before each statement, with what it may change and its values
   */
  constructor(db: () => DatabaseSync, cache?: RowCache, onChange?: (changes: Changes, values: Values) => void) {
    this.#db = db;
    this.#cache = cache;
    this.#onChange = onChange;
  }

  one<T>({ name, columns, list }: Table<T>, rest: Rest = '', ...values: Values): T | undefined {
    const row = this.#get(`SELECT ${list} FROM ${name} ${textOf(rest)}`, values);
    return row && columns.read(row, 0);
  }

  all<T>({ name, columns, list }: Table<T>, rest: Rest = '', ...values: Values): T[] {
    return this.#all(`SELECT ${list} FROM ${name} ${textOf(rest)}`, values).map((row) => columns.read(row, 0));
  }

  cached<T>({ name, columns, list }: Table<T>, rest: Rest, ...values: SqlValue[]): T | undefined {
    const read = () => {
      const row = this.#get(`SELECT ${list} FROM ${name} ${textOf(rest)}`, values);
      return row && { value: columns.read(row, 0), bytes: bytesOf(row) };
    };
    return this.#cache ? this.#cache.find({ table: name, rest, values }, read) : read()?.value;
  }

  allCached<T>({ name, columns, list }: Table<T>, rest: Rest, ...values: SqlValue[]): readonly T[] {
    const read = () => {
      const rows = this.#all(`SELECT ${list} FROM ${name} ${textOf(rest)}`, values);
      const value = rows.map((row) => columns.read(row, 0));
      return rows.length === 0 ? undefined : { value, bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0) };
    };
    return (this.#cache ? this.#cache.find({ table: name, rest, values }, read) : read()?.value) ?? [];
  }

  value<T extends SqlValue>(sql: string, ...values: Values): T | undefined {
    return this.#get(sql, values)?.[0] as T | undefined;
  }

  values<T extends SqlValue>(sql: string, ...values: Values): T[] {
    return this.#all(sql, values).map(([value]) => value as T);
  }

  run(sql: string, ...values: Values): number {
    return this.#run(sql, values);
  }

  write(sql: string, ...values: Values): void {
    this.#run(sql, values);
  }

  change<T>({ columns, list }: Table<T>, sql: string, ...values: Values): T | undefined {
    const row = this.#get(`${sql} RETURNING ${list}`, values);
    return row && columns.read(row, 0);
  }

  insert<T>(table: Table<T>, value: T, onConflict = ''): boolean {
    return this.#run(onConflict === '' ? table.insert : `${table.insert} ${onConflict}`, rowOf(table, value)) === 1;
  }

  insertIf<T>(table: Table<T>, value: T, condition: string, ...values: SqlValue[]): boolean {
    const insert = `INSERT INTO ${table.name} (${table.list}) SELECT ${table.places} WHERE ${condition}`;
    return this.#run(insert, [...rowOf(table, value), ...values]) === 1;
  }

  put<T>(table: Table<T>, value: T): void {
    this.#run(table.put, rowOf(table, value));
  }

  update<T>(table: Table<T>, value: T, which: string, ...values: SqlValue[]): number {
    const update = `UPDATE ${table.name} SET ${table.assignments} WHERE ${which}`;
    return this.#run(update, [...rowOf(table, value), ...values]);
  }

  removeSome(name: string, key: string, which: string, ...values: SqlValue[]): number {
    // SQLite would prepare the statement again for each other LIMIT, and only a sum hides it. See `changedAnew()`.
    return this.run(
      `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${which} LIMIT ? + 0)`,
      ...values,
    );
  }

  #run(sql: string, values: Values): number {
    return Number(this.#prepared(sql, values).run(...(values as SqlValue[])).changes);
  }

  #get(sql: string, values: Values): readonly SqlValue[] | undefined {
    return this.#prepared(sql, values).get(...(values as SqlValue[])) as readonly SqlValue[] | undefined;
  }

  #all(sql: string, values: Values): Array<readonly SqlValue[]> {
    return this.#prepared(sql, values).all(...(values as SqlValue[])) as unknown as Array<readonly SqlValue[]>;
  }

  #prepared(sql: string, values: Values): StatementSync {
    const prepared = statement(this.#db(), sql);
    this.#onChange?.(changedBy(prepared), values);
    return prepared;
  }
}

/** What a row takes in memory, in bytes. A character can take two. */
function bytesOf(row: readonly SqlValue[]): number {
  let bytes = 16 * row.length;
  for (const value of row)
    bytes += typeof value === 'string' ? 2 * value.length : value instanceof Uint8Array ? value.length : 0;
  return bytes;
}
