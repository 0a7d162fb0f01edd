import { startOfDay } from '#server/domain/account/usage-days.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { AiRequestRecord } from '../ai-requests/request-record.ts';
import type { CachedRequests } from '../budgets/table.ts';

/**
 * The most combinations of account, key, model and day that wait. Further ones are not counted until these are stored.
 */
const maxWaiting = 10_000;

/**
 * Counts requests that the cache answered, for the history of usage. `note` takes microseconds and never waits. The
 * counts are stored together. A killed process loses those that it had not stored.
 */
export class CachedRequestCounts {
  readonly #metadata: Writes<'chat'>;
  #waiting = new Map<string, CachedRequests>();

  constructor(metadata: Writes<'chat'>) {
    this.#metadata = metadata;
  }

  note({ accountId, keyId, model, at }: Pick<AiRequestRecord, 'accountId' | 'keyId' | 'model' | 'at'>): void {
    const day = startOfDay(at);
    const group = JSON.stringify([accountId, keyId, model, day]);
    const before = this.#waiting.get(group);
    if (!before && this.#waiting.size >= maxWaiting) return;
    this.#waiting.set(group, { accountId, keyId, model, day, requests: (before?.requests ?? 0) + 1 });
  }

  /** Stores all counts. Those that cannot be stored go on waiting. Only one call may run at a time. */
  async store(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const counts = this.#waiting;
    this.#waiting = new Map();
    try {
      await this.#metadata.atomically((tx) => tx.chat.countCached([...counts.values()]), { isDurable: false });
    } catch (error) {
      for (const [group, count] of counts) {
        const { requests = 0 } = this.#waiting.get(group) ?? {};
        this.#waiting.set(group, { ...count, requests: count.requests + requests });
      }
      throw error;
    }
  }
}
