import type { Columns, SqlValue } from './columns.ts';

export type { SqlValue } from './columns.ts';

/** A value, or a promise of it. Await both: an engine in this process returns its values at once. */
export type Awaitable<T> = T | Promise<T>;

/** Waits for values that were requested at once. An engine over a network gives promises for all of them. */
export async function allOf<T>(values: ReadonlyArray<Awaitable<T>>): Promise<readonly T[]> {
  const coming = values.filter((value) => value instanceof Promise);
  return coming.length === values.length ? Promise.all(coming) : (values as readonly T[]);
}

/** Values of `?` or `?1`, or one object with those of `:names`. */
export type Values = SqlValue[] | [Readonly<Record<string, SqlValue>>];

/** A table, with some of its columns. */
export interface Table<T> {
  /** Its name, or another expression that may follow FROM. */
  readonly name: string;
  readonly columns: Columns<T>;
  /** The names of the columns, separated by commas. */
  readonly list: string;
  /** A `?` for each column, separated by commas. */
  readonly places: string;
  /** The INSERT of a whole row. */
  readonly insert: string;
  /** The INSERT of a whole row that takes the place of the one with its primary key. Empty without a key. */
  readonly put: string;
  /** The columns of the primary key, as far as {@link Rows.put} needs them. */
  readonly key: readonly string[];
  /** The assignments of an UPDATE of all columns, with a `?` for each. */
  readonly assignments: string;
  /** Whether the name is that of one table. */
  readonly isPlain: boolean;
}

/** A WHERE that compares columns with values, and does nothing else. So it tells which rows a look-up can find. */
interface Where {
  readonly text: string;
  readonly columns: readonly string[];
}

/** Selects the rows that have given values in these columns. */
export function where(...columns: readonly string[]): Where {
  return { text: `WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`, columns };
}

/** The rest of a SELECT, after the name of the table. */
export type Rest = string | Where;

/** Returns the text of the rest of a SELECT. */
export function textOf(rest: Rest): string {
  return typeof rest === 'string' ? rest : rest.text;
}

/**
 * Describes a table, or some of its columns.
 *
 * @param key the columns of the primary key, separated by commas, for {@link Rows.put}
 */
export function table<T>(name: string, columns: Columns<T>, key = ''): Table<T> {
  const { names } = columns;
  const list = names.join(', ');
  const places = names.map(() => '?').join(', ');
  const insert = `INSERT INTO ${name} (${list}) VALUES (${places})`;
  const assignments = names.map((column) => `${column} = ?`).join(', ');
  const identifying = key === '' ? [] : key.split(', ');
  const put = key && `${insert} ${replacing(names, identifying)}`;
  const isPlain = /^\w+$/.test(name);
  return { name, columns, list, places, insert, put, key: identifying, assignments, isPlain };
}

function replacing(names: readonly string[], key: readonly string[]): string {
  const others = names.filter((column) => !key.includes(column));
  return (
    `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ` +
    `${others.map((column) => `${column} = excluded.${column}`).join(', ')}`
  );
}

/** Returns the values of a table's columns, in their order. */
export function rowOf<T>({ columns }: Table<T>, value: T): SqlValue[] {
  const row: SqlValue[] = [];
  columns.write(value, row);
  return row;
}

/** The surroundings of a table, besides its rows. */
export interface TableContext {
  /** The instant of the transaction. */
  readonly now: number;
  /** The time that usage is counted by. Undefined if it is that of the transaction. */
  readonly usageNow?: (() => number) | undefined;
  /** Names this process in rows that belong to it while it runs. Empty where it is the only one. */
  readonly owner: string;
  /** Called within the transaction when blobs are marked for deletion. Their bytes can be removed after it. */
  readonly onMarkedForDeletion: () => void;
}

/**
 * The rows behind a connection or within a transaction. SQL is constant text, in the dialect that SQLite and PostgreSQL
 * 15 share. Its placeholders are `?`, `?1` or `:name`. Flags are 0 and 1, instants are milliseconds since 1970, JSON is
 * text, and every whole number has 64 bits. A parameter whose type PostgreSQL cannot tell from its surroundings has a
 * CAST.
 */
export interface Rows {
  /** Returns the first row, or undefined. */
  one<T>(table: Table<T>, rest?: Rest, ...values: Values): Awaitable<T | undefined>;

  /** Returns every row. */
  all<T>(table: Table<T>, rest?: Rest, ...values: Values): Awaitable<T[]>;

  /**
   * Returns the first row like {@link one}, from the cache if there is one. For rows of one table that many requests
   * read.
   */
  cached<T>(table: Table<T>, rest: Rest, ...values: SqlValue[]): Awaitable<T | undefined>;

  /** Returns every row like {@link all}, from the cache if there is one. No row at all is not kept. */
  allCached<T>(table: Table<T>, rest: Rest, ...values: SqlValue[]): Awaitable<readonly T[]>;

  /** Returns the only column of the first row, or undefined when there is no row. */
  value<T extends SqlValue>(sql: string, ...values: Values): Awaitable<T | undefined>;

  /** Returns the only column of every row. */
  values<T extends SqlValue>(sql: string, ...values: Values): Awaitable<T[]>;

  /** Runs a statement. Returns how many rows it changed. */
  run(sql: string, ...values: Values): Awaitable<number>;

  /**
   * Runs a statement, whose count nobody needs. So an engine over a network may send it without waiting for the answer.
   * If it then fails, the transaction fails.
   */
  write(sql: string, ...values: Values): Awaitable<void>;

  /**
   * Adds, changes or removes one row by a statement, and returns it. Returns undefined when there was none.
   *
   * @param sql without its RETURNING
   */
  change<T>(table: Table<T>, sql: string, ...values: Values): Awaitable<T | undefined>;

  /**
   * Adds a row. Returns whether it did, which `onConflict` may have prevented.
   *
   * @param onConflict an ON CONFLICT clause
   */
  insert<T>(table: Table<T>, value: T, onConflict?: string): Awaitable<boolean>;

  /** Adds a row when `condition` holds, in the same statement. Returns whether it did. */
  insertIf<T>(table: Table<T>, value: T, condition: string, ...values: SqlValue[]): Awaitable<boolean>;

  /** Adds a row, in the place of the one with its primary key. The table has to be described with its key. */
  put<T>(table: Table<T>, value: T): Awaitable<void>;

  /** Writes the columns of the rows that `which` selects. Returns how many. */
  update<T>(table: Table<T>, value: T, which: string, ...values: SqlValue[]): Awaitable<number>;

  /**
   * Removes rows that `which` selects, up to the number in the last of the values. Returns how many.
   *
   * @param key the columns that identify a row
   */
  removeSome(name: string, key: string, which: string, ...values: SqlValue[]): Awaitable<number>;
}

/** The rows of a database that is not open yet. Its tables may be missing. */
export interface UnopenedRows {
  readonly rows: Rows;
  hasTable(name: string): Awaitable<boolean>;
  /** Runs `work` in a transaction, which is undone when `work` throws. */
  atomically(work: (rows: Rows) => Promise<void>): Promise<void>;
}
