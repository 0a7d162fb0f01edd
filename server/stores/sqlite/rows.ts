import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

import type { Columns } from './columns.ts';
import { changedBy, statement } from './connection.ts';
import type { RowCache } from './row-cache.ts';

/** Values of `?`, or one object with those of `:names`. */
export type Values = SQLInputValue[] | [Readonly<Record<string, SQLInputValue>>];

/** A table, with some of its columns. */
export interface Table<T> {
  /** Its name, or another expression that may follow FROM. */
  readonly name: string;
  readonly columns: Columns<T>;
  /** The names of the columns, separated by commas. */
  readonly list: string;
  /** A `?` for each column, separated by commas. */
  readonly places: string;
  /** The statements that write a whole row. */
  readonly insert: string;
  readonly put: string;
}

export function table<T>(name: string, columns: Columns<T>): Table<T> {
  const list = columns.names.join(', ');
  const places = columns.names.map(() => '?').join(', ');
  const into = `INTO ${name} (${list}) VALUES (${places})`;
  return { name, columns, list, places, insert: `INSERT ${into}`, put: `INSERT OR REPLACE ${into}` };
}

/** The surroundings of a table, besides its rows. */
export interface TableContext {
  /** The instant of the transaction. */
  readonly now: number;
  /** Called within the transaction when blobs are marked for deletion. Their bytes can be removed after it. */
  readonly onMarkedForDeletion: () => void;
}

/**
 * The rows behind a connection. SQL is constant text: each text stays prepared as long as the connection lives. Each
 * call asks for the connection anew, so that work that outlives its transaction fails instead of writing into another's.
 */
export class Rows {
  readonly #db: () => DatabaseSync;
  readonly #cache: RowCache | undefined;
  readonly #onChange: ((tables: ReadonlySet<string>) => void) | undefined;

  /**
   * @param cache of a connection that only reads; without it, every call reads
   * @param onChange called before each statement, with the tables that it may change
   */
  constructor(db: () => DatabaseSync, cache?: RowCache, onChange?: (tables: ReadonlySet<string>) => void) {
    this.#db = db;
    this.#cache = cache;
    this.#onChange = onChange;
  }

  /**
   * Returns the first row, or undefined.
   *
   * @param rest of the SELECT, after the name of the table
   */
  one<T>({ name, columns, list }: Table<T>, rest = '', ...values: Values): T | undefined {
    const row = this.#get(`SELECT ${list} FROM ${name} ${rest}`, values);
    return row && columns.read(row, 0);
  }

  /**
   * Returns every row.
   *
   * @param rest of the SELECT, after the name of the table
   */
  all<T>({ name, columns, list }: Table<T>, rest = '', ...values: Values): T[] {
    return this.#all(`SELECT ${list} FROM ${name} ${rest}`, values).map((row) => columns.read(row, 0));
  }

  /**
   * Returns the first row like {@link one}, from the cache if there is one. For rows of one table that many requests
   * read.
   */
  cached<T>({ name, columns, list }: Table<T>, rest: string, ...values: SQLInputValue[]): T | undefined {
    const read = () => {
      const row = this.#get(`SELECT ${list} FROM ${name} ${rest}`, values);
      return row && { value: columns.read(row, 0), bytes: bytesOf(row) };
    };
    return this.#cache ? this.#cache.find(name, keyOf(name, rest, values), read) : read()?.value;
  }

  /** Returns every row like {@link all}, from the cache if there is one. No row at all is not kept. */
  allCached<T>({ name, columns, list }: Table<T>, rest: string, ...values: SQLInputValue[]): readonly T[] {
    const read = () => {
      const rows = this.#all(`SELECT ${list} FROM ${name} ${rest}`, values);
      const value = rows.map((row) => columns.read(row, 0));
      return rows.length === 0 ? undefined : { value, bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0) };
    };
    return (this.#cache ? this.#cache.find(name, keyOf(name, rest, values), read) : read()?.value) ?? [];
  }

  /** Returns the only column of the first row, or undefined when there is no row. */
  value<T extends SQLInputValue>(sql: string, ...values: Values): T | undefined {
    return this.#get(sql, values)?.[0] as T | undefined;
  }

  /** Returns the only column of every row. */
  values<T extends SQLInputValue>(sql: string, ...values: Values): T[] {
    return this.#all(sql, values).map(([value]) => value as T);
  }

  /** Runs a statement. Returns how many rows it changed. */
  run(sql: string, ...values: Values): number {
    return this.#run(sql, values);
  }

  /** Changes or removes one row by an UPDATE or a DELETE, and returns it. Returns undefined when there was none. */
  change<T>({ columns, list }: Table<T>, sql: string, ...values: Values): T | undefined {
    const row = this.#get(`${sql} RETURNING ${list}`, values);
    return row && columns.read(row, 0);
  }

  /** Adds a row. Returns whether it did, which `onConflict` may have prevented. */
  insert<T>({ columns, insert }: Table<T>, value: T, onConflict = ''): boolean {
    return this.#run(onConflict === '' ? insert : `${insert} ${onConflict}`, written(columns, value)) === 1;
  }

  /** Adds a row when `condition` holds, in the same statement. Returns whether it did. */
  insertIf<T>(
    { name, columns, list, places }: Table<T>,
    value: T,
    condition: string,
    ...values: SQLInputValue[]
  ): boolean {
    const row = written(columns, value);
    return this.run(`INSERT INTO ${name} (${list}) SELECT ${places} WHERE ${condition}`, ...row, ...values) === 1;
  }

  /** Adds a row, in the place of the one with its primary key. */
  put<T>({ columns, put }: Table<T>, value: T): void {
    this.#run(put, written(columns, value));
  }

  /** Writes the columns of the rows that `which` selects. Returns how many. */
  update<T>({ name, columns, list, places }: Table<T>, value: T, which: string, ...values: SQLInputValue[]): number {
    const row = written(columns, value);
    return this.run(`UPDATE ${name} SET (${list}) = (${places}) WHERE ${which}`, ...row, ...values);
  }

  /**
   * Removes rows that `which` selects, up to the number in the last of the values. Returns how many.
   *
   * @param key the columns that identify a row
   */
  removeSome(name: string, key: string, which: string, ...values: SQLInputValue[]): number {
    return this.run(
      `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} WHERE ${which} LIMIT ?)`,
      ...values,
    );
  }

  #run(sql: string, values: Values): number {
    return Number(this.#prepared(sql).run(...(values as SQLInputValue[])).changes);
  }

  #get(sql: string, values: Values): readonly SQLOutputValue[] | undefined {
    return this.#prepared(sql).get(...(values as SQLInputValue[])) as readonly SQLOutputValue[] | undefined;
  }

  #all(sql: string, values: Values): Array<readonly SQLOutputValue[]> {
    return this.#prepared(sql).all(...(values as SQLInputValue[])) as unknown as Array<readonly SQLOutputValue[]>;
  }

  #prepared(sql: string): StatementSync {
    const prepared = statement(this.#db(), sql);
    this.#onChange?.(changedBy(prepared));
    return prepared;
  }
}

/** What a row takes in memory, in bytes. A character can take two. */
function bytesOf(row: readonly SQLOutputValue[]): number {
  let bytes = 16 * row.length;
  for (const value of row)
    bytes += typeof value === 'string' ? 2 * value.length : value instanceof Uint8Array ? value.length : 0;
  return bytes;
}

/** Each value comes with its length, so that no two lists of values have the same key. */
function keyOf(name: string, rest: string, values: readonly SQLInputValue[]): string {
  let key = `${name} ${rest}`;
  for (const value of values) {
    const text = ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
      : String(value);
    key += ` ${text.length}:${text}`;
  }
  return key;
}

function written<T>(columns: Columns<T>, value: T): SQLInputValue[] {
  const row: SQLInputValue[] = [];
  columns.write(value, row);
  return row;
}
