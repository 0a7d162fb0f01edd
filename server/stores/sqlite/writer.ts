import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, type DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isBusy, statement, type Connections } from './connection.ts';
import { isDiskFull } from './database-errors.ts';
import { LogKeeper } from './log-keeper.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';
import { DatabaseLocked, LogLost, WriterClosed } from './writer-errors.ts';
import { Piece, type Transaction, type WriterTransaction } from './writer-transaction.ts';

export type { WriterTransaction } from './writer-transaction.ts';

/** What a {@link Writer} is told from outside. Durations are milliseconds. */
export interface WriterOptions {
  /** The clock that `tx.now` is read from: milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Told of what nobody waits for: an `afterCommit` callback that threw or rejected, whose transaction is committed all
   * the same, and a log that could not be copied into the database file, which is tried again.
   */
  readonly onFault: (error: unknown) => void;
  /**
   * Told, once, that the disk did not take what had been committed. Nobody can say what of it is there after that, so
   * nothing is written any more, and the process should end: the next one reads what is.
   */
  readonly onLost?: (error: LogLost) => void;
  /** A batch takes no further piece after this time; default 8. It bounds how long the event loop is held. */
  readonly maxBatchMs?: number;
  /** How long a piece waits while another process holds the database's lock; default 5000. */
  readonly maxBusyMs?: number;
  /**
   * With so many pages in the log that are not in the database file they are copied there; default 8000, 32 MB. Each
   * copy takes the disk for some hundredths of a second, whatever its length, and a short log would be copied every
   * second under load.
   */
  readonly maxLogPages?: number;
  /** Asked when the disk has no room: makes some, which was kept for this, and answers whether it did. */
  readonly onFull?: () => boolean;
  /**
   * Told of each commit: how many pieces it carried and how long it took, with its sync if it had one. For counters;
   * must not throw.
   */
  readonly onCommit?: (commit: { readonly pieces: number; readonly durationMs: number }) => void;
}

/** What one piece of work asks for. */
export interface PieceOptions {
  /** `false`: its writes may be lost in a power cut, so that no fsync is made for them alone; default `true`. */
  readonly isLasting?: boolean;
}

/** The first pause while another process holds the lock, in ms; each further one is twice as long, up to the last. */
const FIRST_PAUSE_MS = 1;
const LAST_PAUSE_MS = 50;

/** What was committed together. */
interface Batch {
  readonly pieces: readonly Piece[];
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/**
 * The only way to write. It takes the work that is queued, runs each piece in a savepoint of one transaction, commits
 * once, syncs the log once, in a thread, and then answers all. What comes while a sync is under way is the next batch,
 * but for work that need not last: that has transactions of its own, and is answered when they are committed.
 *
 * The connection is its own from construction to `close()`; it forbids others to begin or end a transaction on it.
 */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #log: WriteAheadLog;
  readonly #keeper: LogKeeper;
  readonly #options: Required<Omit<WriterOptions, 'onCommit' | 'onLost'>> & Pick<WriterOptions, 'onCommit' | 'onLost'>;
  readonly #current = new AsyncLocalStorage<Transaction>();
  /** The pump serves many callers, so it belongs to none of their contexts. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  readonly #lasting: Piece[] = [];
  /** Work that need not last. */
  readonly #fleeting: Piece[] = [];
  /** What is committed and waits for the next sync. */
  #committed: Batch[] = [];
  #syncing: Promise<void> | undefined;
  /**
   * Up to where the log is known to be on the disk: nothing at first, since an earlier process may have left it
   * unsynced.
   */
  #synced: string | undefined;
  #lost: LogLost | undefined;
  #pumping: Promise<void> | undefined;
  #controlling = false;
  #closed = false;

  constructor({ writer: db, log }: Pick<Connections, 'writer' | 'log'>, options: WriterOptions) {
    this.#db = db;
    this.#log = log;
    this.#options = { maxBatchMs: 8, maxBusyMs: 5_000, maxLogPages: 8_000, onFull: () => false, ...options };
    this.#keeper = new LogKeeper(log, this.#options);
    // A piece that says COMMIT would make its half-done neighbours durable: SQLite itself refuses to prepare it.
    db.setAuthorizer((action, _verb, name) => {
      const controls =
        action === constants.SQLITE_TRANSACTION || (action === constants.SQLITE_SAVEPOINT && name === 'piece');
      return controls && !this.#controlling ? constants.SQLITE_DENY : constants.SQLITE_OK;
    });
  }

  /**
   * Runs `work` so that all of its writes are kept or none, and resolves with its result once they would survive a
   * power cut (with `isLasting: false` before that). When `work` throws, its writes are undone and the promise rejects
   * with what it threw; that too waits for the sync, because the refusal may rest on what a neighbour in the same
   * transaction wrote. Readers see what is committed a little earlier: whoever does what cannot be undone because of
   * rows reads them in here.
   *
   * `work` writes rows and nothing else. It may await promises that are resolved already; one that waits for bytes, the
   * network or a timer is undone and fails, because all other writes would wait with it. It may be run a second time
   * (when its transaction was lost to another piece or to a full disk), so its effects belong into rows and
   * `tx.afterCommit`.
   *
   * Throws at once when called inside another `atomically()`. Rejects with `WriterClosed`, with `DatabaseLocked`, with
   * the error of SQLite when the disk is full or broken, or with `LogLost`: whether that work is kept nobody knows.
   */
  atomically<T>(work: (tx: WriterTransaction) => Promise<T> | T, { isLasting = true }: PieceOptions = {}): Promise<T> {
    if (this.#current.getStore()?.isOpen)
      throw new Error('atomically() inside atomically(): hand the transaction down instead.');
    if (this.#closed) return Promise.reject(new WriterClosed());
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise<T>((resolve, reject) => {
      (isLasting ? this.#lasting : this.#fleeting).push(
        new Piece(work, isLasting, resolve as (value: unknown) => void, reject),
      );
      this.#wake();
    });
  }

  /**
   * Refuses new work, finishes what is queued, and lets go of the connection without closing it. May be called twice.
   */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#pumping || this.#syncing) await (this.#pumping ?? this.#syncing);
    await this.#keeper.idle();
    await this.#log.close();
    if (this.#db.isOpen) this.#db.setAuthorizer(null);
  }

  #wake(): void {
    if (this.#canCommit()) this.#pumping ??= this.#inOwnContext(() => this.#pump());
  }

  async #pump(): Promise<void> {
    while (this.#canCommit()) {
      await nextTurn(); // work of the same turn shares a commit, and sockets breathe between two of them
      await this.#keeper.pause;
      // What waits for no sync goes first, and its callers go on.
      await this.#commit(this.#fleeting);
      if (!this.#syncing) {
        await this.#commit(this.#lasting);
        this.#sync();
      }
      this.#keeper.watch();
    }
    this.#pumping = undefined;
  }

  /** What must last and comes during a sync would have to wait for the next one anyway, and shares a commit then. */
  #canCommit(): boolean {
    return this.#fleeting.length > 0 || (this.#lasting.length > 0 && !this.#syncing);
  }

  /** Answers what is committed, once it is on the disk. */
  #sync(): void {
    if (this.#committed.length === 0) return;
    const batches = this.#committed.splice(0);
    const position = this.#position();
    if (position !== undefined && position === this.#synced) return this.#answer(batches);
    this.#syncing = this.#log
      .sync()
      .then(
        () => {
          this.#synced = position;
          this.#answer(batches);
        },
        (error: unknown) => this.#giveUp(new LogLost(error), batches),
      )
      .finally(() => {
        this.#syncing = undefined;
        this.#wake();
      });
  }

  #position(): string | undefined {
    try {
      return this.#log.position();
    } catch {
      return undefined; // a database that cannot be read has its log synced all the same
    }
  }

  #answer(batches: readonly Batch[]): void {
    for (const { pieces, startedAt } of batches) {
      this.#options.onCommit?.({ pieces: pieces.length, durationMs: performance.now() - startedAt });
      for (const piece of pieces) piece.answer();
    }
  }

  #giveUp(lost: LogLost, batches: readonly Batch[]): void {
    this.#lost = lost;
    this.#options.onLost?.(lost);
    for (const piece of [
      ...batches.flatMap(({ pieces }) => pieces),
      ...this.#lasting.splice(0),
      ...this.#fleeting.splice(0),
    ])
      piece.fail(lost);
  }

  async #commit(queue: Piece[]): Promise<void> {
    const lost = await this.#commitBatch(queue, this.#options.maxBatchMs);
    // Each alone: whoever is at fault fails alone, and on a full disk the deletion that makes room still succeeds.
    for (const piece of lost) {
      let again: Piece[];
      do {
        await nextTurn();
        again = await this.#commitBatch([piece], 0);
      } while (again.length > 0 && this.#makesRoom(piece.error));
      for (const one of again) one.fail();
    }
  }

  /** What another program has filled up, what is kept for this opens again. */
  #makesRoom(error: unknown): boolean {
    return isDiskFull(error) && this.#options.onFull();
  }

  /**
   * Commits what it takes off `queue`, and answers what need not last; returns the pieces that are to be tried again
   * because the whole transaction was lost.
   */
  async #commitBatch(queue: Piece[], maxBatchMs: number): Promise<Piece[]> {
    if (queue.length === 0) return [];
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
    for (const piece of taken) piece.committed(this.#options.onFault);
    const batch = { pieces: taken, startedAt };
    if (taken.some((piece) => piece.isLasting)) this.#committed.push(batch);
    else this.#answer([batch]);
    return [];
  }

  /** Throws when the whole transaction is lost; a `piece` that is to blame for that has been answered then. */
  async #runInSavepoint(piece: Piece, now: number): Promise<void> {
    this.#control('SAVEPOINT piece');
    await piece.run(this.#db, now, this.#current);
    // SQLite may have kept the transaction or not. Tried again alone, the piece may be given room.
    if (isDiskFull(piece.error)) throw piece.error;
    if (!this.#db.isTransaction) {
      // SQLite rolled everything back by itself (I/O error, ON CONFLICT ROLLBACK), maybe unseen by the piece.
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
        if (this.#makesRoom(error)) continue;
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
