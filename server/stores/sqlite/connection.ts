import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { WriteAheadLog } from './write-ahead-log.ts';

/** How the connections to one database file are opened. */
export interface ConnectionOptions {
  /** How many read-only connections are opened; reads are synchronous and short, so one is enough for one thread. */
  readonly readers?: number;
  /**
   * `false` leaves every fsync out, so that a power cut loses acknowledged rows.
   * Only for the test that proves that it notices.
   */
  readonly sync?: boolean;
  /** Whether requests are served on this thread, so that another one copies the log; default `false`. */
  readonly isServing?: boolean;
}

/** What a checkpoint came to; see {@link Connections.checkpoint}. */
export interface CheckpointOutcome {
  /** `true` when a reader or another process kept the log from being emptied; what could be copied has been copied. */
  readonly busy: boolean;
  /** Pages that are still in the write-ahead log. */
  readonly remainingPages: number;
}

/** Page cache of each connection, in KiB; SQLite's own default of 2 MB evicts inner index pages early. */
const CACHE_KIB = 16 * 1024;

/** A burst may grow the write-ahead log; past this many bytes the next checkpoint cuts the file again. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;

/** Opening may block this long for another process that opens or recovers the same file: nothing is served yet. */
const OPENING_TIMEOUT_MS = 5_000;

/**
 * The connections of this process to one database file: one that writes and some that only read.
 *
 * A reader never waits for the writer and sees only what is committed. Finish every read in the tick in which it
 * begins: a half-consumed `iterate()` holds its snapshot and keeps checkpoints from emptying the log.
 */
export class Connections implements Disposable {
  /** For the `Writer`; nothing else may write through it. A COMMIT of it is on the disk after `log.sync()`. */
  readonly writer: DatabaseSync;
  readonly log: WriteAheadLog;
  readonly #readers: readonly DatabaseSync[];
  #turn = 0;

  constructor(path: string, { readers = 1, sync = true, isServing = false }: ConnectionOptions = {}) {
    this.writer = openWriter(path, sync);
    this.log = new WriteAheadLog(this.writer, path, { isSynced: sync, isServing });
    const opened: DatabaseSync[] = [];
    this.#readers = opened;
    try {
      for (let count = 0; count < Math.max(1, readers); count++) opened.push(openReader(path));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The read-only connection whose turn it is. */
  get reader(): DatabaseSync {
    this.#turn = (this.#turn + 1) % this.#readers.length;
    return this.#readers[this.#turn]!;
  }

  /**
   * Copies the write-ahead log into the database file and empties it, on the event loop: for whoever needs the file
   * whole, and serves nobody meanwhile. Never waits for locks; call it outside transactions.
   */
  checkpoint(): CheckpointOutcome {
    const row = statement(this.writer, 'PRAGMA wal_checkpoint(TRUNCATE)').get() as {
      busy: number;
      log: number;
      checkpointed: number;
    };
    return { busy: row.busy !== 0, remainingPages: Math.max(0, row.log - row.checkpointed) };
  }

  /** Closes every connection. The last one to a file also checkpoints and removes the log. May be called twice. */
  close(): void {
    for (const reader of this.#readers) if (reader.isOpen) reader.close();
    if (this.writer.isOpen) this.writer.close(); // last, because a read-only connection cannot checkpoint
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * A connection that writes: every COMMIT is on the disk when it returns.
 * It does not wait for locks (busy timeout 0), because waiting inside SQLite blocks the event loop.
 */
export function openWriter(path: string, sync = true): DatabaseSync {
  return configured(
    new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true }),
    (db) => {
      enterWriteAheadMode(db);
      db.exec(`
      PRAGMA synchronous = ${sync ? 'FULL' : 'OFF'};
      PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES};
    `);
    },
  );
}

/** A connection that can only read; the file has to exist. */
export function openReader(path: string): DatabaseSync {
  return configured(new DatabaseSync(path, { readOnly: true, timeout: OPENING_TIMEOUT_MS }), (db) => {
    db.exec('PRAGMA query_only = ON');
    db.prepare('SELECT count(*) FROM sqlite_schema').get(); // recovers a log that a crash left, while waiting is still allowed
  });
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/**
 * The prepared statement of this SQL on this connection, prepared the first time it is asked for.
 * For SQL that is a constant: each text stays prepared as long as the connection lives. Do not nest two `iterate()`
 * of the same text; they are one statement.
 */
export function statement(db: DatabaseSync, sql: string): StatementSync {
  let ofConnection = statements.get(db);
  if (ofConnection === undefined) statements.set(db, (ofConnection = new Map()));
  let prepared = ofConnection.get(sql);
  if (prepared === undefined) ofConnection.set(sql, (prepared = db.prepare(sql)));
  return prepared;
}

function configured(db: DatabaseSync, configure: (db: DatabaseSync) => void): DatabaseSync {
  try {
    // mmap stays off: with it, a read error of the disk is a SIGBUS that ends the process instead of an SQLITE_IOERR.
    db.exec(`
      PRAGMA cache_size = ${-CACHE_KIB};
      PRAGMA mmap_size = 0;
      PRAGMA temp_store = MEMORY;
    `);
    configure(db);
    db.exec('PRAGMA busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The change of mode needs the file alone, and SQLite may answer SQLITE_BUSY at once, whatever the busy timeout. */
function enterWriteAheadMode(db: DatabaseSync): void {
  const giveUpAt = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    try {
      const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string };
      if (mode !== 'wal')
        throw new Error(
          `The database cannot use a write-ahead log (it stays in mode "${mode}"); is its folder on a network drive?`,
        );
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/**
 * Whether SQLite refused because another connection holds the lock: trying again later can help.
 * @see https://www.sqlite.org/rescode.html SQLITE_BUSY (5), SQLITE_PROTOCOL (15), and their extended codes
 */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  return code === 5 || code === 15;
}
