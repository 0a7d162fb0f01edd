import { Refusal } from '#server/domain/refusal.ts';

/** The most counts of one account that run or wait. Each holds its body until it ends. */
export const maxCountsAtOnce = 4;

/** Keeps counts, which cost nothing, from filling the memory for bodies and the thread that counts. */
export class CountsAtOnce {
  readonly #running = new Map<string, number>();
  readonly #most: number;

  constructor(most = maxCountsAtOnce) {
    this.#most = most;
  }

  /** Runs a count. @throws concurrent_limit_reached when as many of the account as may have begun */
  async run<T>(accountId: string, count: () => Promise<T>): Promise<T> {
    const others = this.#running.get(accountId) ?? 0;
    if (others >= this.#most)
      throw new Refusal('concurrent_limit_reached', {
        retryAfterSeconds: 1,
        message:
          `This account has ${this.#most} counts of tokens under way, and may not have more at once. ` +
          'Wait for one of them, then try again.',
      });
    this.#running.set(accountId, others + 1);
    try {
      return await count();
    } finally {
      const left = this.#running.get(accountId)! - 1;
      if (left > 0) this.#running.set(accountId, left);
      else this.#running.delete(accountId);
    }
  }
}
