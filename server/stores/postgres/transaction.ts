import { AsyncResource } from 'node:async_hooks';

import type { SqlValue } from '#server/stores/tables/rows.ts';
import type { Sender } from './rows.ts';
import type { Answer, Session } from './session.ts';

const waitedForOthers =
  'Work inside atomically() waited for something other than rows (bytes, network, a timer): it was undone.';

/**
 * One run of the work of a transaction. Statements that nobody waits for are sent at once, and their errors are found at
 * the end.
 */
export class PostgresTransaction implements Sender {
  readonly now: number;
  readonly #session: Session;
  readonly #callersContext = new AsyncResource('PostgresTransaction');
  readonly #callbacks: Array<() => unknown> = [];
  readonly #posted: Array<Promise<unknown>> = [];
  #isOpen = true;
  /** Answers that the work waits for. */
  #awaited = 0;
  /** Counts everything that the work has waited for. */
  #waits = 0;
  #onIdle: (() => void) | undefined;
  #hasWritten = false;

  constructor(session: Session, now: number) {
    this.#session = session;
    this.now = now;
  }

  /** Whether the work still runs. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a statement may have changed rows. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  readonly send = (sql: string, values: readonly SqlValue[]): Promise<Answer> => {
    this.#assertOpen();
    if (!sql.startsWith('SELECT ')) this.#hasWritten = true;
    return this.waitFor(this.#session.query(sql, values));
  };

  readonly post = async (sql: string, values: readonly SqlValue[]): Promise<void> => {
    this.#assertOpen();
    this.#hasWritten = true;
    const answer = this.#session.query(sql, values);
    // It is looked at in `settled()`. Until then it must not count as unhandled.
    answer.catch(() => {});
    this.#posted.push(answer);
  };

  afterCommit(callback: () => unknown): void {
    this.#assertOpen();
    this.#callbacks.push(callback);
  }

  /** Counts an answer of the database that the work waits for, so that it is not taken for a timer or the network. */
  async waitFor<T>(answer: Promise<T>): Promise<T> {
    this.#awaited += 1;
    try {
      return await answer;
    } finally {
      this.#awaited -= 1;
      this.#waits += 1;
      if (this.#awaited === 0) this.#watch();
    }
  }

  /**
   * Runs the work. Rejects when it waits for something other than rows: its locks would be held as long.
   */
  async run<T>(work: (tx: PostgresTransaction) => Promise<T>): Promise<T> {
    try {
      const { promise: idle, reject } = Promise.withResolvers<never>();
      this.#onIdle = () => reject(new Error(waitedForOthers));
      const working = work(this);
      this.#watch();
      return await Promise.race([working, idle]);
    } finally {
      this.#isOpen = false;
      this.#onIdle = undefined;
    }
  }

  /** Resolves when every statement that nobody waited for has succeeded. Rejects with the first error. */
  async settled(): Promise<void> {
    await Promise.all(this.#posted);
  }

  /** Runs the callbacks of `afterCommit()`, which the commit makes due. */
  committed(onFault: (error: unknown) => void): void {
    for (const callback of this.#callbacks) {
      try {
        const result: unknown = this.#callersContext.runInAsyncScope(callback);
        if (result instanceof Promise) result.catch(onFault);
      } catch (error) {
        onFault(error);
      }
    }
  }

  /** The work goes on in microtasks. When they have run and it waits for no answer, it waits for something else. */
  #watch(): void {
    const waits = this.#waits;
    setImmediate(() => {
      if (this.#awaited === 0 && this.#waits === waits) this.#onIdle?.();
    });
  }

  #assertOpen(): void {
    if (!this.#isOpen)
      throw new Error('This transaction has ended: work inside atomically() was not awaited, or waited for something.');
  }
}
