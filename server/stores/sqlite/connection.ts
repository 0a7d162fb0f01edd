import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { isBusy } from './database-errors.ts';
import { WriteAheadLog } from './write-ahead-log.ts';
import { writtenRows, type WrittenRows } from './written-rows.ts';

/** The options for the connections to one database file. */
export interface ConnectionOptions {
  /** `false` leaves out every fsync, so that a power cut loses confirmed rows. Only a test of durability needs that. */
  readonly sync?: boolean;
  /** Whether this thread serves requests, so that another thread copies the log. Default `false`. */
  readonly isServing?: boolean;
}

/** Page cache of each connection, in KiB. SQLite's default of 2 MB evicts inner index pages early. */
const CACHE_KIB = 16 * 1024;

/** A burst may grow the write-ahead log. Above this size the next checkpoint shortens the file. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/** While the database opens, it may block this long for another process that opens or recovers it. */
const OPENING_TIMEOUT_MS = 5_000;

/**
 * The connections of this process to one database file: one writes, one only reads.
 *
 * The reader never waits for the writer and sees only committed rows. Finish every read in the tick in which it begins:
 * a half-read `iterate()` holds its snapshot, and the log cannot be emptied meanwhile.
 */
export class Connections {
  /** For the `Writer` alone. A COMMIT survives a power cut after `log.sync()`. */
  readonly writer: DatabaseSync;
  readonly reader: DatabaseSync;
  readonly log: WriteAheadLog;

  constructor(path: string, { sync = true, isServing = false }: ConnectionOptions = {}) {
    this.writer = openWriter(path, sync);
    try {
      this.log = new WriteAheadLog(this.writer, path, { isSynced: sync, isServing });
      this.reader = openReader(path);
    } catch (error) {
      this.writer.close();
      throw error;
    }
  }

  /** Closes both connections. The last one to a file also copies and removes the log. May be called twice. */
  close(): void {
    if (this.reader.isOpen) this.reader.close();
    if (this.writer.isOpen) this.writer.close(); // last, because a read-only connection cannot copy the log
  }
}

/**
 * Opens a connection that writes. Every COMMIT is on the disk when it returns. It never waits for locks (busy timeout
 * 0), because waiting inside SQLite blocks the event loop.
 */
export function openWriter(path: string, sync = true): DatabaseSync {
  const options = { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true };
  return configured(new DatabaseSync(path, options), (db) => {
    enterWriteAheadMode(db);
    db.exec(`PRAGMA synchronous = ${sync ? 'FULL' : 'OFF'}; PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
    // Deleted rows are overwritten, because small files are rows. A deletion takes 37 instead of 30 µs of processor
    // time.
    db.exec('PRAGMA secure_delete = ON');
  });
}

/** Opens a connection that only reads. The file has to exist. */
export function openReader(path: string): DatabaseSync {
  return configured(new DatabaseSync(path, { readOnly: true, timeout: OPENING_TIMEOUT_MS }), (db) => {
    db.exec('PRAGMA query_only = ON');
    // Recovers a log that a crash left, while waiting is still allowed.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  });
}

/** What a statement changes. */
export interface Changes {
  /** Tables of which it may change any row. */
  readonly tables: ReadonlySet<string>;
  /** The only rows of another table that it may change. */
  readonly rows: WrittenRows | undefined;
}

const noChanges: Changes = { tables: new Set(), rows: undefined };

/** What each prepared statement changes. */
const changes = new WeakMap<StatementSync, Changes>();

/** The tables that `changedAnew()` returns, for each connection. */
const preparedAgain = new WeakMap<DatabaseSync, Set<string>>();

/** The tables that the statement in preparation changes, and whether a trigger does so. */
let preparing: Map<string, boolean> | undefined;

/** Notes that the statement in preparation changes a table. For the authorizer of the connection that writes. */
export function noteChange(db: DatabaseSync, table: string, isByTrigger: boolean): void {
  if (preparing) return void preparing.set(table, isByTrigger || preparing.get(table) === true);
  let again = preparedAgain.get(db);
  if (again === undefined) preparedAgain.set(db, (again = new Set()));
  again.add(table);
}

/**
 * Returns the tables that are changed by statements which SQLite prepared again by itself, because another process has
 * changed the schema. It does not tell which statement that was.
 */
export function changedAnew(db: DatabaseSync): ReadonlySet<string> {
  return preparedAgain.get(db) ?? new Set();
}

/**
 * Returns what a statement of the connection that writes may change, also by triggers and foreign keys. SQLite does not
 * tell changes of the same table by a foreign key from those of the statement, so no table may refer to itself, also
 * not by way of others.
 */
export function changedBy(prepared: StatementSync): Changes {
  return changes.get(prepared) ?? noChanges;
}

function changesOf(sql: string, changed: ReadonlyMap<string, boolean>): Changes {
  const rows = writtenRows(sql);
  const isOnly = rows !== undefined && changed.get(rows.table) === false;
  if (!isOnly) return { tables: new Set(changed.keys()), rows: undefined };
  return { tables: new Set([...changed.keys()].filter((table) => table !== rows.table)), rows };
}

/** A cache of prepared statements by their SQL, for each connection. */
const statementCache = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/**
 * Returns the prepared statement of this SQL. Its rows are arrays, which Node makes faster than objects.
 *
 * The first call prepares it, and it stays prepared as long as the connection lives. So the SQL must be constant text.
 * Do not nest two `iterate()` of the same SQL: they are one statement.
 */
export function statement(db: DatabaseSync, sql: string): StatementSync {
  let ofConnection = statementCache.get(db);
  if (ofConnection === undefined) statementCache.set(db, (ofConnection = new Map()));
  let prepared = ofConnection.get(sql);
  if (prepared === undefined) {
    preparing = new Map();
    try {
      ofConnection.set(sql, (prepared = db.prepare(sql)));
      if (preparing.size > 0) changes.set(prepared, changesOf(sql, preparing));
    } finally {
      preparing = undefined;
    }
    prepared.setReturnArrays(true);
  }
  return prepared;
}

/** Runs `work` in a transaction, which is undone when `work` throws. For use before a `Writer` owns the connection. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** Lets `work` wait up to `timeoutMs` for another process's lock. It blocks, so nothing may be served yet. */
export function waitingForLocks<T>(db: DatabaseSync, timeoutMs: number, work: () => T): T {
  const { timeout } = db.prepare('PRAGMA busy_timeout').get()!;
  db.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
  try {
    return work();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

function configured(db: DatabaseSync, configure: (db: DatabaseSync) => void): DatabaseSync {
  try {
    // mmap stays off: with it, a read error of the disk is a SIGBUS that ends the process instead of an SQLITE_IOERR.
    db.exec(`PRAGMA cache_size = ${-CACHE_KIB}; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY`);
    configure(db);
    db.exec('PRAGMA busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Switches to a write-ahead log. The switch needs the file for itself, and SQLite may return SQLITE_BUSY at once
 * despite the busy timeout.
 */
function enterWriteAheadMode(db: DatabaseSync): void {
  const giveUpAt = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    try {
      const mode = db.prepare('PRAGMA journal_mode = WAL').get()!.journal_mode;
      if (mode !== 'wal')
        throw new Error(
          `The database cannot use a write-ahead log (it stays in mode "${mode}"). Move the data folder off the ` +
            'network drive.',
        );
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
