import { AsyncLocalStorage } from 'node:async_hooks';

import type { AtomicOptions, Transaction } from '#server/domain/ports/metadata.ts';

/** Work that is to be done in a transaction, with its caller. */
export class Piece {
  readonly work: (tx: Transaction) => Promise<unknown>;
  readonly options: AtomicOptions;
  /** The `performance.now()` at which its caller gives up. */
  readonly giveUpAt: number;
  /** Runs a function in the caller's async context. The transaction itself runs in that of its first piece. */
  readonly inCallersContext = AsyncLocalStorage.snapshot();
  readonly #result = Promise.withResolvers<unknown>();

  constructor(work: (tx: Transaction) => Promise<unknown>, options: AtomicOptions, giveUpAt: number) {
    this.work = work;
    this.options = options;
    this.giveUpAt = giveUpAt;
  }

  get result(): Promise<unknown> {
    return this.#result.promise;
  }

  resolve(result: unknown): void {
    this.#result.resolve(result);
  }

  reject(error: unknown): void {
    this.#result.reject(error as Error);
  }
}
