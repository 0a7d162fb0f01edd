import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { AiRequestRecord } from './request-record.ts';
import type { AiRequestEntry } from './requests-table.ts';

interface Deps {
  readonly metadata: Writes<'aiRequests'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  /** Called when requests wait to be stored. The caller then calls `store` soon. */
  readonly onWaiting: () => void;
}

/** The most requests that wait: some megabytes. While the store is down, further ones are left out. */
export const maxWaitingRequests = 10_000;

/** Requests in one transaction, few enough not to delay others. */
const batchRequests = 200;

/**
 * Records requests to models. `note` takes microseconds and never waits. The records are stored in batches. A killed
 * process loses those that it had not stored.
 */
export class AiRequestLog {
  readonly #deps: Deps;
  readonly #waiting: AiRequestEntry[] = [];
  #leftOut = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  note(record: AiRequestRecord): void {
    if (this.#waiting.length >= maxWaitingRequests) {
      this.#leftOut++;
      return;
    }
    const { durationMs, firstTokenMs } = record;
    this.#waiting.push({
      ...record,
      id: this.#deps.ids.opaqueId(),
      durationMs: Math.round(durationMs),
      firstTokenMs: firstTokenMs === null ? null : Math.round(firstTokenMs),
    });
    this.#deps.onWaiting();
  }

  /**
   * Stores all requests that wait. Those that cannot be stored go on waiting. Only one call may run at a time.
   *
   * @returns how many requests were left out since the last call
   */
  async store(): Promise<number> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchRequests);
      // Not worth a sync of the disk: a power cut may lose the last ones.
      await this.#deps.metadata.atomically((tx) => tx.aiRequests.add(batch), { isDurable: false });
      this.#waiting.splice(0, batch.length);
    }
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
