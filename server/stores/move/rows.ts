/** A value of a column, in the form that both engines read and write. */
type MovedValue = null | number | string | Uint8Array;

/** The values of some columns of a row, in a fixed order. */
export type MovedRow = readonly MovedValue[];

/** A table whose rows are moved. */
export interface MovedTable {
  readonly name: string;
  /** The columns that are moved. Both databases have them. */
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. They are among `columns`. */
  readonly key: readonly string[];
  /** A condition for the rows that are moved. Default: all. */
  readonly where?: string;
}

/** The shape of a table in one database. */
export interface TableShape extends MovedTable {
  /** Columns with bytes. A text of the log of changes cannot hold them as they are. */
  readonly binary: readonly string[];
}

/** The rows of a table that are written or removed together. */
export interface RowChanges {
  readonly table: MovedTable;
  readonly put: readonly MovedRow[];
  /** Keys of rows to remove. A row that is not there is no error. */
  readonly remove: readonly MovedRow[];
}

/** A database whose rows are moved, on either side. */
export interface MovableRows {
  /** Its address for people, without secrets. */
  readonly address: string;
  /** Returns every table of the product, those without rows too. */
  shapes(): Promise<TableShape[]>;
  /** Returns how many rows are moved. */
  count(table: Pick<MovedTable, 'name' | 'where'>): Promise<number>;
  /** Returns up to `limit` rows in the order of their keys, behind the key `after`. */
  read(table: MovedTable, after: MovedRow | null, limit: number): Promise<MovedRow[]>;
  /** Returns the rows behind the key `after`, up to the key `last` and with it. `null` is no bound. */
  readRange(table: MovedTable, after: MovedRow | null, last: MovedRow | null): Promise<MovedRow[]>;
  /** Returns the rows with these keys, as far as they exist. */
  find(table: MovedTable, keys: readonly MovedRow[]): Promise<MovedRow[]>;
  /** Returns the next number of each column that counts up by itself, by `table.column`. */
  sequences(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** The database that rows are moved to. Only the move writes it. */
export interface TargetRows extends MovableRows {
  /** Lets rows be written in any order. May be called again after a crash. */
  prepare(): Promise<void>;
  /** Writes all of it or nothing. A row takes the place of the one with its key. */
  write(changes: readonly RowChanges[]): Promise<void>;
  /** Sets what `prepare()` took off, and the next numbers. Takes milliseconds, however many rows there are. */
  finish(sequences: ReadonlyMap<string, number>): Promise<void>;
  /** Checks that no row refers to a row that does not exist. Servers may write meanwhile. */
  validate(): Promise<void>;
}

/** A change that the source noted: the row with this key was added, changed or removed. */
export interface NotedChange {
  readonly id: number;
  readonly table: string;
  readonly key: MovedRow;
}

/** The database that rows are moved from. Servers write it meanwhile. */
export interface SourceRows extends MovableRows {
  /** Returns the record of the move, as `saveRecord()` stored it. */
  findRecord(): Promise<string | undefined>;
  saveRecord(record: string): Promise<void>;
  /**
   * Begins to note the changes of `noted` tables, and makes writes to all tables refusable. Servers go on. The record
   * is stored in the same transaction. Tables that are noted already stay so.
   */
  beginNoting(noted: readonly TableShape[], all: readonly string[], record: string): Promise<void>;
  /** Removes the record, the noted changes, and everything else that `beginNoting()` added. */
  endNoting(): Promise<void>;
  /** Returns the oldest noted changes. */
  changes(limit: number): Promise<NotedChange[]>;
  /** Forgets changes that the target has. */
  forget(ids: readonly number[]): Promise<void>;
  /**
   * Refuses the writes of all servers for `forMs`, then takes them again by itself. Resolves when no earlier
   * transaction can still be committed.
   */
  refuseWrites(forMs: number): Promise<void>;
  takeWrites(): Promise<void>;
  /**
   * Refuses writes for good and stores the record. Does nothing and returns false if writes are no longer refused, or
   * a change has been noted.
   */
  refuseForGood(record: string): Promise<boolean>;
}

/** Returns the values of the key of a row. */
export function keyOf({ columns, key }: MovedTable, row: MovedRow): MovedRow {
  return key.map((name) => row[columns.indexOf(name)]!);
}

/** Returns a text that is the same for equal values only. */
export function textOf(row: MovedRow): string {
  return JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value)),
  );
}
