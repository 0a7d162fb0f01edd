import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, type DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import type { AtomicOptions } from '#server/domain/ports/metadata.ts';
import { noteChange, statement, type Connections } from './connection.ts';
import { isAfterWriting, isBusy, isDiskFull } from './database-errors.ts';
import { Checkpointer } from './checkpointer.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';
import { DatabaseLocked, LogLost, WriterClosed } from './writer-errors.ts';
import { QueuedWork, type RunningTransaction, type WriterTransaction } from './writer-transaction.ts';

export type { WriterTransaction } from './writer-transaction.ts';

/** Settings and callbacks of a {@link Writer}. Durations are milliseconds. */
export interface WriterOptions {
  /** The clock for `tx.now`, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Receives errors that no caller waits for. Either an `afterCommit` callback threw or rejected, and its transaction
   * stays committed. Or the log could not be copied into the database file, which is tried again.
   */
  readonly onFault: (error: unknown) => void;
  /**
   * Called once when the disk failed to sync committed rows. Nobody can say which of them are on the disk, so the
   * writer writes no more. The process should end, and the next one reads what is there.
   */
  readonly onLost?: (error: LogLost) => void;
  /** A batch takes no further piece after this time. It bounds how long the event loop is blocked. Default 8. */
  readonly maxBatchMs?: number;
  /** How long a piece waits while another process holds the database's lock. Default 5000. */
  readonly maxBusyMs?: number;
  /**
   * The log is copied into the database file when it holds this many more pages than the file. Default 8000 (32 MB).
   * Each copy occupies the disk for some 10 ms whatever its length, so a short log would be copied every second under
   * load.
   */
  readonly maxLogPages?: number;
  /** Called when the disk is full. Frees space that was reserved for this, and returns whether it did. */
  readonly onFull?: () => boolean;
  /**
   * Called for each commit with the number of its pieces and its duration, including its sync if it had one. For
   * counters. Must not throw.
   */
  readonly onCommit?: (commit: { readonly pieces: number; readonly durationMs: number }) => void;
  /** Called for each sync of the log. For counters. Must not throw. */
  readonly onSync?: (sync: { readonly durationMs: number }) => void;
}

/** Pauses while another process holds the lock, in ms. Each is twice as long as the one before, up to the last. */
const FIRST_PAUSE_MS = 1;
const LAST_PAUSE_MS = 50;

function isChange(action: number): boolean {
  return [constants.SQLITE_INSERT, constants.SQLITE_UPDATE, constants.SQLITE_DELETE].includes(action);
}

/** Work that was committed together. */
interface Batch {
  readonly pieces: readonly QueuedWork[];
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/**
 * The only way to write: a group commit. It takes the queued work and runs all pieces in one transaction. It commits
 * once, syncs the log once (in a thread), and then resolves all pieces. Work that arrives during a sync forms the next
 * batch. Work that need not be durable waits for no sync: it has transactions of its own and resolves when they are
 * committed.
 *
 * Most batches have no piece that throws, so the first try has no savepoints. They cost a third of a small upload's
 * writes. If a piece throws, everything is undone, and all of the batch runs again with a savepoint each.
 *
 * It owns the connection from construction to `close()`, and denies others to begin or end a transaction on it.
 */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #log: WriteAheadLog;
  readonly #checkpointer: Checkpointer;
  readonly #options: Required<WriterOptions>;
  readonly #current = new AsyncLocalStorage<RunningTransaction>();
  /** The pump serves many callers, so it must not run in the async context of one of them. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  readonly #durable: QueuedWork[] = [];
  /** Work that need not be durable. */
  readonly #volatile: QueuedWork[] = [];
  /** Committed, waiting for the next sync. */
  #committed: Batch[] = [];
  #syncing: Promise<void> | undefined;
  /** The log is on the disk up to here. Unknown at first, since an earlier process may have left it unsynced. */
  #synced: string | undefined;
  #lost: LogLost | undefined;
  #pumping: Promise<void> | undefined;
  #controlling = false;
  #closed = false;

  constructor({ writer: db, log }: Pick<Connections, 'writer' | 'log'>, options: WriterOptions) {
    this.#db = db;
    this.#log = log;
    this.#options = {
      maxBatchMs: 8,
      maxBusyMs: 5_000,
      maxLogPages: 8_000,
      onFull: () => false,
      onLost: () => {},
      onCommit: () => {},
      onSync: () => {},
      ...options,
    };
    this.#checkpointer = new Checkpointer(log, this.#options);
    // A piece that ran COMMIT would make its half-done neighbours durable, so SQLite refuses to prepare it.
    db.setAuthorizer((action, subject, name, _database, trigger) => {
      if (subject !== null && isChange(action)) noteChange(db, subject, trigger !== null);
      const controls =
        action === constants.SQLITE_TRANSACTION || (action === constants.SQLITE_SAVEPOINT && name === 'piece');
      return controls && !this.#controlling ? constants.SQLITE_DENY : constants.SQLITE_OK;
    });
  }

  /**
   * Runs `work` and keeps all of its writes or none. Resolves with its result once the writes would survive a power cut
   * (with `isDurable: false`, before that). When `work` throws, its writes are undone and the promise rejects with the
   * same error. The rejection waits for the sync too, because it may depend on rows that a neighbour in the same
   * transaction wrote. Readers see committed rows a little earlier. If rows decide something that cannot be undone,
   * read them in here.
   *
   * `work` writes rows and nothing else. It may await promises that are already resolved. Work that waits for bytes,
   * the network or a timer is undone and fails, because all other writes would wait with it. It runs again when another
   * piece of its transaction throws, or when the transaction is lost, for instance to a full disk. So its effects
   * belong in rows and `tx.afterCommit`.
   *
   * @throws at once when called inside another `atomically()`
   * @throws {WriterClosed | DatabaseLocked} nothing was written
   * @throws {LogLost} nobody knows whether the work is kept
   * @throws SQLite's error when the disk is full or broken
   */
  atomically<T>(
    work: (tx: WriterTransaction) => Promise<T> | T,
    { isDurable = true }: Pick<AtomicOptions, 'isDurable'> = {},
  ): Promise<T> {
    if (this.#current.getStore()?.isOpen)
      throw new Error('atomically() inside atomically(): hand the transaction down instead.');
    if (this.#closed) return Promise.reject(new WriterClosed());
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise<T>((resolve, reject) => {
      (isDurable ? this.#durable : this.#volatile).push(
        new QueuedWork(work, isDurable, resolve as (value: unknown) => void, reject),
      );
      this.#wake();
    });
  }

  /** The number of pieces that wait for their commit or its sync. */
  get queued(): number {
    const committed = this.#committed.reduce((sum, { pieces }) => sum + pieces.length, 0);
    return this.#durable.length + this.#volatile.length + committed;
  }

  /** Rejects new work, finishes the queue, and releases the connection without closing it. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    await using closing = new AsyncDisposableStack();
    closing.defer(() => {
      if (this.#db.isOpen) this.#db.setAuthorizer(null);
    });
    closing.defer(() => this.#log.close());
    while (this.#pumping || this.#syncing) await (this.#pumping ?? this.#syncing);
    await this.#checkpointer.idle();
  }

  #wake(): void {
    if (this.#canCommit()) this.#pumping ??= this.#inOwnContext(() => this.#pump());
  }

  async #pump(): Promise<void> {
    while (this.#canCommit()) {
      await nextTurn(); // work of the same turn shares a commit, and sockets are served between two commits
      await this.#checkpointer.pause;
      // Work that waits for no sync goes first, so that its callers continue.
      await this.#commit(this.#volatile);
      if (!this.#syncing) {
        await this.#commit(this.#durable);
        this.#sync();
      }
      this.#checkpointer.watch();
    }
    this.#pumping = undefined;
  }

  /** Durable work that arrives during a sync has to wait for the next sync anyway, so it shares that commit. */
  #canCommit(): boolean {
    return this.#volatile.length > 0 || (this.#durable.length > 0 && !this.#syncing);
  }

  /** Resolves the committed pieces once they are on the disk. */
  #sync(): void {
    if (this.#committed.length === 0) return;
    const batches = this.#committed.splice(0);
    const position = this.#position();
    if (position !== undefined && position === this.#synced) return this.#settle(batches);
    const startedAt = performance.now();
    this.#syncing = this.#log
      .sync()
      .then(
        () => {
          this.#options.onSync({ durationMs: performance.now() - startedAt });
          this.#synced = position;
          this.#settle(batches);
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
      return undefined; // the log of a database that cannot be read is synced all the same
    }
  }

  #settle(batches: readonly Batch[]): void {
    for (const { pieces, startedAt } of batches) {
      this.#options.onCommit({ pieces: pieces.length, durationMs: performance.now() - startedAt });
      for (const piece of pieces) piece.settle();
    }
  }

  #giveUp(lost: LogLost, batches: readonly Batch[]): void {
    this.#lost = lost;
    this.#options.onLost(lost);
    for (const piece of [
      ...batches.flatMap(({ pieces }) => pieces),
      ...this.#durable.splice(0),
      ...this.#volatile.splice(0),
    ])
      piece.fail(lost);
  }

  async #commit(queue: QueuedWork[]): Promise<void> {
    let undone = await this.#commitBatch(queue);
    if (undone.length > 0 && undone.length + queue.length > 1) {
      queue.unshift(...undone);
      await nextTurn();
      undone = await this.#commitBatch(queue, { hasSavepoints: true });
    }
    // Each alone: the piece at fault fails alone, and on a full disk the deletion that frees space still succeeds.
    for (const piece of undone) {
      let again: QueuedWork[];
      do {
        await nextTurn();
        again = await this.#commitBatch([piece]);
      } while (again.length > 0 && this.#freeSpace(piece.error));
      for (const one of again) one.fail();
    }
  }

  /**
   * Removes a failed commit from the log. SQLite writes all pages of a commit before it enters them in the log's index.
   * If the index cannot grow, the commit fails, and its pages stay in the log. The next start would take them for
   * committed, although the caller was told otherwise and has removed the bytes that its rows name.
   *
   * @throws when the pages may still be there
   */
  async #dropFailedCommit(): Promise<void> {
    const giveUpAt = performance.now() + this.#options.maxBusyMs;
    for (;;) {
      const position = this.#log.position();
      const pages = this.#log.pages();
      try {
        this.#control('BEGIN IMMEDIATE');
        // Otherwise another process has committed something in between.
        const isSame = this.#log.position() === position;
        if (isSame) this.#log.cutBehind(pages);
        this.#control('ROLLBACK');
        // A power cut may bring back what was cut off. That is as if the commit was there.
        if (isSame) return await this.#log.sync();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
        await sleep(LAST_PAUSE_MS);
      }
    }
  }

  /** Frees reserved space when the disk is full. Returns whether it did. */
  #freeSpace(error: unknown): boolean {
    return isDiskFull(error) && this.#options.onFull();
  }

  /**
   * Takes pieces off `queue`, commits them, and resolves those that need not be durable. Returns those to try again.
   * Those are all pieces when the transaction was lost, or when one of several threw and none had a savepoint.
   */
  async #commitBatch(queue: QueuedWork[], { hasSavepoints = false } = {}): Promise<QueuedWork[]> {
    if (queue.length === 0) return [];
    if (!(await this.#begin(queue))) return [];
    const startedAt = performance.now();
    const taken: QueuedWork[] = [];
    let now: number | undefined;
    let isWhole = true;
    try {
      while (queue[0] && isWhole) {
        const piece = queue.shift()!;
        taken.push(piece);
        now ??= this.#options.now();
        if (hasSavepoints) await this.#runInSavepoint(piece, now);
        else isWhole = await this.#run(piece, now);
        if (performance.now() - startedAt >= this.#options.maxBatchMs) break;
      }
      this.#control(isWhole ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      this.#rollBack();
      const lost = taken.filter((piece) => !piece.isSettled);
      for (const piece of lost) piece.error = error;
      if (!isAfterWriting(error)) return lost;
      return this.#dropFailedCommit().then(
        () => lost,
        (reason: unknown) => {
          this.#giveUp(new LogLost(reason), [{ pieces: lost, startedAt }]);
          return [];
        },
      );
    }
    if (!isWhole && taken.length + queue.length > 1) return taken;
    for (const piece of taken) piece.committed(this.#options.onFault);
    const batch = { pieces: taken, startedAt };
    if (taken.some((piece) => piece.isDurable)) this.#committed.push(batch);
    else this.#settle([batch]);
    return [];
  }

  /**
   * Runs a piece. Returns whether its writes are to be kept.
   *
   * @throws when the whole transaction is lost. A `piece` that caused that has been rejected by then.
   */
  async #run(piece: QueuedWork, now: number): Promise<boolean> {
    await piece.run(this.#db, now, this.#current);
    // SQLite may have kept the transaction or not. When the piece is tried again alone, it may get space.
    if (isDiskFull(piece.error)) throw piece.error;
    if (!this.#db.isTransaction) {
      // SQLite rolled everything back by itself (I/O error, ON CONFLICT ROLLBACK), perhaps unnoticed by the piece.
      piece.blame(new Error('The transaction was rolled back while this work ran.'));
      piece.fail();
      throw piece.error;
    }
    return piece.error === undefined;
  }

  /**
   * Runs a piece in a savepoint of its own, so that only its own writes are undone when it throws.
   *
   * @throws as `#run()` does
   */
  async #runInSavepoint(piece: QueuedWork, now: number): Promise<void> {
    this.#control('SAVEPOINT piece');
    const isWhole = await this.#run(piece, now);
    try {
      if (isWhole) return this.#control('RELEASE piece');
    } catch (error) {
      piece.blame(error); // for example an INSERT … RETURNING that was not read to its end
    }
    this.#control('ROLLBACK TO piece');
    this.#control('RELEASE piece');
  }

  /** Begins the transaction. Returns false when every piece of `queue` was rejected instead. */
  async #begin(queue: QueuedWork[]): Promise<boolean> {
    const beganAt = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; queue.length > 0; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      try {
        if (this.#db.isTransaction) this.#control('ROLLBACK'); // an earlier ROLLBACK met an I/O error
        this.#control('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        if (this.#freeSpace(error)) continue;
        if (!isBusy(error)) {
          for (const piece of queue.splice(0)) piece.fail(error);
          return false;
        }
        const waitedMs = (piece: QueuedWork) => performance.now() - Math.max(beganAt, piece.queuedAt);
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
