import { AsyncResource, type AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';

/** The parts of a transaction that a piece of work may use while it runs. Afterwards every use throws. */
export interface WriterTransaction {
  /**
   * The connection that writes. Read this property each time, so that work that outlives its transaction fails instead
   * of writing into another's.
   */
  readonly db: DatabaseSync;
  /** The instant at which the transaction began, in ms since 1970. The same for everything in it. */
  readonly now: number;
  /**
   * Calls `callback` as soon as the writes are committed, before anybody can read them and before they would survive a
   * power cut. So state in memory can change together with the rows. Never called when the writes are undone. A promise
   * that it returns is not awaited.
   */
  afterCommit(callback: () => unknown): void;
}

type Work = (tx: WriterTransaction) => unknown;

/** The transaction as the writer sees it. */
export class RunningTransaction implements WriterTransaction {
  readonly #db: DatabaseSync;
  readonly now: number;
  readonly callbacks: Array<() => unknown> = [];
  isOpen = true;

  constructor(db: DatabaseSync, now: number) {
    this.#db = db;
    this.now = now;
  }

  get db(): DatabaseSync {
    this.#assertOpen();
    return this.#db;
  }

  afterCommit(callback: () => unknown): void {
    this.#assertOpen();
    this.callbacks.push(callback);
  }

  #assertOpen(): void {
    if (!this.isOpen)
      throw new Error('This transaction has ended: work inside atomically() was not awaited, or waited for something.');
  }
}

/** One call of `atomically()` in the queue, a piece of work: its function, its async context and its promise. */
export class QueuedWork {
  /** `performance.now()` at queueing. */
  readonly queuedAt = performance.now();
  /** The reason why the writes of the last run must be undone. `undefined` when they are to be kept. */
  error: unknown;
  isSettled = false;
  /** Whether its writes have to survive a power cut before it resolves. */
  readonly isDurable: boolean;
  readonly #work: Work;
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: unknown) => void;
  /** Without it, every piece of a batch would run in the context of the caller that started the pump. */
  readonly #callersContext = new AsyncResource('QueuedWork');
  #value: unknown;
  #callbacks: ReadonlyArray<() => unknown> = [];

  constructor(work: Work, isDurable: boolean, resolve: (value: unknown) => void, reject: (error: unknown) => void) {
    this.#work = work;
    this.isDurable = isDurable;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Runs the work once and stores its outcome for `settle()`. Never rejects. */
  async run(db: DatabaseSync, now: number, scope: AsyncLocalStorage<RunningTransaction>): Promise<void> {
    const transaction = new RunningTransaction(db, now);
    this.error = undefined;
    try {
      const result = this.#callersContext.runInAsyncScope(() => scope.run(transaction, this.#work, transaction));
      this.#value = isThenable(result) ? await withoutWaiting(result) : result;
    } catch (error) {
      this.blame(error);
    }
    transaction.isOpen = false;
    this.#callbacks = transaction.callbacks;
  }

  /** Marks the run as failed. The first reason stays. */
  blame(error: unknown): void {
    this.error ??= error ?? new Error('The work threw nothing: no reason is known.');
  }

  /** Runs the `afterCommit` callbacks. Call it when the transaction is committed, in the same turn. */
  committed(onFault: (error: unknown) => void): void {
    if (this.error !== undefined) return;
    for (const callback of this.#callbacks) {
      try {
        const result = this.#callersContext.runInAsyncScope(callback);
        if (isThenable(result)) result.then(undefined, onFault);
      } catch (error) {
        onFault(error);
      }
    }
  }

  /** Settles the caller's promise with the stored outcome. */
  settle(): void {
    if (this.error !== undefined) return this.fail(this.error);
    this.isSettled = true;
    this.#resolve(this.#value);
  }

  /** Rejects the caller's promise with the given error, or with the one of the last run. */
  fail(error: unknown = this.error): void {
    this.isSettled = true;
    this.#reject(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Settles as `work` does, but rejects when `work` is still pending after all microtasks have run. A `nextTick` that is
 * requested in a microtask runs then, before any timer or socket. So no other turn of the event loop ever meets an open
 * transaction.
 */
function withoutWaiting<T>(work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let pending = true;
    const settled = () => void (pending = false);
    work.then(resolve, reject);
    work.then(settled, settled);
    queueMicrotask(() =>
      process.nextTick(() => {
        if (pending)
          reject(
            new Error(
              'Work inside atomically() waited for something other than rows (bytes, network, a timer): it was undone.',
            ),
          );
      }),
    );
  });
}
