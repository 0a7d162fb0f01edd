import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, type DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isBusy, statement } from './connection.ts';
import { Piece, type Transaction, type WriterTransaction } from './writer-transaction.ts';

export type { WriterTransaction } from './writer-transaction.ts';

/** What a {@link Writer} is told from outside. Durations are milliseconds. */
export interface WriterOptions {
  /** The clock that `tx.now` is read from: milliseconds since 1970. */
  readonly now: () => number;
  /** Told of an `afterCommit` callback that threw or rejected: its transaction is committed all the same. */
  readonly onFault: (error: unknown) => void;
  /** A batch takes no further piece after this time; default 8. It bounds how long the event loop is held. */
  readonly maxBatchMs?: number;
  /** How long a piece waits while another process holds the database's lock; default 5000. */
  readonly maxBusyMs?: number;
  /** Told of each commit: how many pieces it carried and how long it took. For counters; must not throw. */
  readonly onCommit?: (commit: { readonly pieces: number; readonly durationMs: number }) => void;
}

/** What one piece of work asks for. */
export interface PieceOptions {
  /** `false`: its writes may be lost in a power cut, so that no fsync is made for them alone; default `true`. */
  readonly isLasting?: boolean;
}

/** Another process held the database's lock for too long; nothing was written, and the request may be tried again. */
export class DatabaseLocked extends Error {
  constructor(waitedMs: number, cause: unknown) {
    super(`Another process has held the lock of the database for ${Math.round(waitedMs)} ms.`, { cause });
    this.name = 'DatabaseLocked';
  }
}

/** `atomically()` was called after `close()`. */
export class WriterClosed extends Error {
  constructor() {
    super('The database is being closed: it takes no new work.');
    this.name = 'WriterClosed';
  }
}

/** With a write-ahead log: commits are in order and whole, but not synced. */
const NORMAL_SYNC = 1;

/** The first pause while another process holds the lock, in ms; each further one is twice as long, up to the last. */
const FIRST_PAUSE_MS = 1;
const LAST_PAUSE_MS = 50;

/**
 * The only way to write. It takes the work that is queued, runs each piece in a savepoint of one transaction, commits
 * once, so that one fsync serves all, and then answers all. Work that need not last has transactions of its own, without one.
 *
 * The connection is its own from construction to `close()`; it forbids others to begin or end a transaction on it.
 */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #options: Required<Omit<WriterOptions, 'onCommit'>> & Pick<WriterOptions, 'onCommit'>;
  readonly #current = new AsyncLocalStorage<Transaction>();
  /** The pump serves many callers, so it belongs to none of their contexts. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  readonly #lasting: Piece[] = [];
  /** Work that need not last. */
  readonly #fleeting: Piece[] = [];
  /** How SQLite syncs commits that last: FULL, or OFF where the connection was opened so. */
  readonly #lastingSync: number;
  #sync: number;
  #pumping: Promise<void> | undefined;
  #controlling = false;
  #closed = false;

  constructor(db: DatabaseSync, options: WriterOptions) {
    this.#db = db;
    this.#options = { maxBatchMs: 8, maxBusyMs: 5_000, ...options };
    this.#lastingSync = this.#sync = Number(db.prepare('PRAGMA synchronous').get()!.synchronous);
    // A piece that says COMMIT would make its half-done neighbours durable: SQLite itself refuses to prepare it.
    db.setAuthorizer((action, _verb, name) => {
      const controls = action === constants.SQLITE_TRANSACTION || (action === constants.SQLITE_SAVEPOINT && name === 'piece');
      return controls && !this.#controlling ? constants.SQLITE_DENY : constants.SQLITE_OK;
    });
  }

  /**
   * Runs `work` so that all of its writes are kept or none, and resolves with its result once they would survive a
   * power cut (with `isLasting: false` before that). When `work` throws, its writes are undone and the promise rejects with what it threw; that too waits
   * for the commit, because the refusal may rest on what a neighbour in the same transaction wrote.
   *
   * `work` writes rows and nothing else. It may await promises that are resolved already; one that waits for bytes, the
   * network or a timer is undone and fails, because all other writes would wait with it. It may be run a second time
   * (when its transaction was lost to another piece or to a full disk), so its effects belong into rows and `tx.afterCommit`.
   *
   * Throws at once when called inside another `atomically()`. Rejects with `WriterClosed`, with `DatabaseLocked`, or
   * with the error of SQLite when the disk is full or broken.
   */
  atomically<T>(work: (tx: WriterTransaction) => Promise<T> | T, { isLasting = true }: PieceOptions = {}): Promise<T> {
    if (this.#current.getStore()?.isOpen) throw new Error('atomically() inside atomically(): hand the transaction down instead.');
    if (this.#closed) return Promise.reject(new WriterClosed());
    return new Promise<T>((resolve, reject) => {
      (isLasting ? this.#lasting : this.#fleeting).push(new Piece(work, isLasting, resolve as (value: unknown) => void, reject));
      this.#pumping ??= this.#inOwnContext(() => this.#pump());
    });
  }

  /** Refuses new work, finishes what is queued, and lets go of the connection without closing it. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pumping;
    if (this.#db.isOpen) this.#db.setAuthorizer(null);
  }

  async #pump(): Promise<void> {
    do {
      await nextTurn(); // work of the same turn shares a commit, and sockets breathe between two of them
      // What waits for no sync goes first, and its callers go on, before the sync of the others holds the event loop.
      if (this.#fleeting.length > 0) {
        await this.#commit(this.#fleeting);
        await nextTurn();
      }
      if (this.#lasting.length > 0) await this.#commit(this.#lasting);
    } while (this.#fleeting.length + this.#lasting.length > 0);
    this.#pumping = undefined;
  }

  async #commit(queue: Piece[]): Promise<void> {
    const lost = await this.#commitBatch(queue, this.#options.maxBatchMs);
    // Each alone: whoever is at fault fails alone, and on a full disk the deletion that makes room still succeeds.
    for (const piece of lost) {
      await nextTurn();
      for (const again of await this.#commitBatch([piece], 0)) again.fail();
    }
  }

  /** Commits and answers what it takes off `queue`; returns the pieces that are to be tried again because the whole transaction was lost. */
  async #commitBatch(queue: Piece[], maxBatchMs: number): Promise<Piece[]> {
    this.#syncFor(queue.some((piece) => piece.isLasting));
    if (!(await this.#begin(queue))) return [];
    const startedAt = performance.now();
    const taken: Piece[] = [];
    let now: number | undefined;
    try {
      while (queue[0]) {
        const piece = queue.shift()!;
        taken.push(piece);
        now ??= this.#options.now();
        await this.#runInSavepoint(piece, now);
        if (performance.now() - startedAt >= maxBatchMs) break;
      }
      this.#control('COMMIT');
    } catch (error) {
      this.#rollBack();
      const lost = taken.filter((piece) => !piece.isAnswered);
      for (const piece of lost) piece.error = error;
      return lost;
    }
    this.#options.onCommit?.({ pieces: taken.length, durationMs: performance.now() - startedAt });
    for (const piece of taken) piece.answer(this.#options.onFault);
    return [];
  }

  /**
   * Whether the next commits are synced. Between transactions alone; what was not synced is so with the next that is.
   * @see https://www.sqlite.org/pragma.html#pragma_synchronous
   */
  #syncFor(isLasting: boolean): void {
    const wanted = isLasting ? this.#lastingSync : Math.min(this.#lastingSync, NORMAL_SYNC);
    if (wanted === this.#sync || this.#db.isTransaction) return;
    // Takes effect while it is prepared, so a statement that is kept would do it once.
    this.#db.exec(`PRAGMA synchronous = ${wanted}`);
    this.#sync = wanted;
  }

  /** Throws when the whole transaction is lost; a `piece` that is to blame for that has been answered then. */
  async #runInSavepoint(piece: Piece, now: number): Promise<void> {
    this.#control('SAVEPOINT piece');
    await piece.run(this.#db, now, this.#current);
    if (!this.#db.isTransaction) {
      // SQLite rolled everything back by itself (disk full, I/O error, ON CONFLICT ROLLBACK), maybe unseen by the piece.
      piece.blame(new Error('The transaction was rolled back while this work ran.'));
      piece.fail();
      throw piece.error;
    }
    try {
      if (piece.error === undefined) return this.#control('RELEASE piece');
    } catch (error) {
      piece.blame(error); // for example an INSERT … RETURNING that was not read to its end
    }
    this.#control('ROLLBACK TO piece');
    this.#control('RELEASE piece');
  }

  /** Begins the transaction; `false` when all of `queue` was answered with a failure instead. */
  async #begin(queue: Piece[]): Promise<boolean> {
    const askedAt = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; queue.length > 0; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      try {
        if (this.#db.isTransaction) this.#control('ROLLBACK'); // an earlier ROLLBACK met an I/O error
        this.#control('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        if (!isBusy(error)) {
          for (const piece of queue.splice(0)) piece.fail(error);
          return false;
        }
        const waitedMs = (piece: Piece) => performance.now() - Math.max(askedAt, piece.queuedAt);
        while (queue[0] && waitedMs(queue[0]) >= this.#options.maxBusyMs) {
          const piece = queue.shift()!;
          piece.fail(new DatabaseLocked(waitedMs(piece), error));
        }
        await sleep(pauseMs * (0.5 + Math.random() / 2)); // several processes that wait should not return in step
      }
    }
    return false;
  }

  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#control('ROLLBACK');
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  #control(sql: string): void {
    this.#controlling = true;
    try {
      statement(this.#db, sql).run();
    } finally {
      this.#controlling = false;
    }
  }
}
