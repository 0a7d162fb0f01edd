import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { TakenPurge } from '../purges-table.ts';
import { outbox, type Outbox } from '#server/jobs/outbox.ts';

type Batch = readonly TakenPurge[];

/**
 * Sends the purges that wait in the store. Its stop sends what is due until the CDN fails or `stopTimeoutMs` are over.
 *
 * @see DECISIONS, "An event is a row in the transaction of its change"
 */
interface PurgeQueue extends Cdn, Outbox {}

export interface PurgeQueueOptions {
  readonly metadata: Metadata<'purges'>;
  /** The CDN itself. */
  readonly hook: { purge(urls: readonly string[]): Promise<void> };
  /** Writes purges that follow from something else. Returns whether there may be more to write now. */
  readonly write?: () => Promise<boolean>;
  /** Called once for each failed call. */
  onFault(error: unknown): void;
  /** Debounce: changes within this time share one call. */
  readonly delayMs?: number;
  /**
   * The pause before a failed URL is tried again. After {@link failuresOfCdn} failures in a row, all failed URLs wait.
   */
  readonly retryMs?: number;
  /** How often it looks for what is due, also what a command or a killed server has left, once it has begun. */
  readonly pollMs?: number;
  readonly stopTimeoutMs?: number;
}

/** URLs in one call. */
export const batchUrls = 100;

/** After this many failed tries a URL is dropped. */
export const maxTries = 60;

/**
 * Parallel calls, so that a slow call does not delay the others. The last place is for URLs that were in no call yet.
 */
const maxCalls = 3;

/** After this many failures in a row, the CDN is at fault. Halving a batch with one bad URL of 100 takes fewer. */
const failuresOfCdn = 10;

/** A call has this long, with all its tries. Then another process takes its URLs: this one was killed. */
export const callMs = 30_000;

/**
 * Sends waiting purges in batches. A failed batch is tried again at once in halves, so that a URL that the CDN rejects
 * does not delay the others. New URLs are sent even while the CDN always fails. They show whether it works again, and
 * need not wait for URLs that it always rejects.
 */
export function purgeQueue(options: PurgeQueueOptions): PurgeQueue {
  const { metadata, hook, write, onFault, delayMs = 50, retryMs = 60_000 } = options;
  const { pollMs = 5_000, stopTimeoutMs = 15_000 } = options;
  let failuresInARow = 0;
  /** By `performance.now()`. */
  let pausedUntilMs = -Infinity;

  /** Takes batches for as many calls. */
  async function take(calls: number, isLast: boolean): Promise<Batch[]> {
    const batches: Batch[] = [];
    for (let left = calls; left > 0; left--) {
      const isCdnAtFault = failuresInARow >= failuresOfCdn;
      if (isLast && isCdnAtFault) break;
      const mayRetry = isLast || (left > 1 && performance.now() >= pausedUntilMs);
      const batch = await takeBatch(mayRetry).catch((error: unknown): Batch => {
        // The batches before are taken, so they are sent.
        onFault(error);
        return [];
      });
      if (batch.length === 0) break;
      batches.push(batch);
    }
    return batches;
  }

  function takeBatch(mayRetry: boolean): Promise<Batch> {
    return metadata.atomically(async (tx) => {
      const fresh = await tx.purges.takeNew(batchUrls, tx.now + callMs);
      return fresh.length > 0 || !mayRetry ? fresh : tx.purges.takeFailed(tx.now + callMs);
    });
  }

  async function call(batch: Batch): Promise<void> {
    try {
      await hook.purge([...new Set(batch.map(({ url }) => url))]);
      failuresInARow = 0;
      pausedUntilMs = -Infinity;
    } catch (error) {
      onFault(error);
      failuresInARow++;
      if (failuresInARow >= failuresOfCdn) pausedUntilMs = performance.now() + retryMs;
      return putBack(batch);
    }
    await metadata.atomically(async (tx) => {
      for (const { id } of batch) await tx.purges.remove(id);
    });
  }

  /** Puts a failed batch back: its halves are due at once, a single URL later. */
  async function putBack(batch: Batch): Promise<void> {
    const mostTogether = Math.ceil(batch.length / 2);
    const failed = batch.map((one) => ({ ...one, failedTries: one.failedTries + 1, mostTogether }));
    const lost = failed.filter(({ failedTries }) => failedTries >= maxTries);
    await metadata.atomically(async (tx) => {
      for (const one of failed) {
        if (lost.includes(one)) await tx.purges.remove(one.id);
        else await tx.purges.putBack(one, batch.length === 1 ? tx.now + retryMs : tx.now);
      }
    });
    if (lost.length > 0) onFault(notTold(lost.length));
  }

  const queue = outbox<Batch>({
    ...{ add: write, attempt: call, mostAtOnce: maxCalls, delayMs, pollMs, stopTimeoutMs, drains: true, onFault },
    due: async (behind) =>
      behind === '' && (await metadata.read.purges.any()) ? [{ key: 'cdn', most: maxCalls, take }] : [],
  });
  return {
    ...queue,
    async purge(urls, changeId) {
      try {
        await hook.purge(urls);
      } catch (error) {
        onFault(error);
        throw error;
      }
      // If this fails, the URLs are purged a second time.
      const settle = (tx: Transaction<'purges'>) => tx.purges.removeOfChange(changeId);
      await metadata.atomically(settle, { isDurable: false }).catch(onFault);
    },
  };
}

function notTold(count: number): CdnUnavailable {
  return new CdnUnavailable(
    `The CDN was not told of ${count} changed files. It serves them as they were until their max-age is over.`,
  );
}
