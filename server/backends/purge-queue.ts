import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { TakenPurge } from '#server/domain/objects/purges-table.ts';

/**
 * Sends the purges that wait in the store. Any number of processes may do so at once.
 *
 * @see DECISIONS, "An event is a row in the transaction of its change"
 */
interface PurgeQueue extends Cdn {
  /** Sends what waits soon. Call it after a commit. */
  nudge(): void;
  /** Sends what is due until the CDN fails or `stopTimeoutMs` are over. The rest waits for another process. */
  stop(): Promise<void>;
}

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
  /**
   * How often it looks for what is due, also from other processes. Undefined for a command, which only sends its own.
   */
  readonly pollMs?: number | undefined;
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
 * does not delay the others.
 */
export function purgeQueue(options: PurgeQueueOptions): PurgeQueue {
  const { metadata, hook, write, onFault, delayMs = 50, pollMs, stopTimeoutMs = 15_000 } = options;
  const calls = batchCalls(options, () => fill());
  let timer: NodeJS.Timeout | undefined;
  let filling: Promise<void> = Promise.resolve();
  let hasBegun = pollMs !== undefined;
  /** By `performance.now()`. */
  let stopAt = Infinity;

  /** Starts calls until all places are taken or nothing is due. Runs one after another. */
  function fill(): Promise<void> {
    const run = async () => {
      while (performance.now() < stopAt) {
        const isLast = stopAt !== Infinity;
        // What is not written when this process stops, others write.
        const isMore = write && !isLast && (await write());
        if (!(await calls.beginOne(isLast)) && !isMore) return;
      }
    };
    return (filling = filling.then(run).catch(onFault));
  }

  function nudge(): void {
    hasBegun = true;
    if (stopAt !== Infinity) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void fill();
    }, delayMs).unref();
  }

  const poll =
    pollMs === undefined
      ? undefined
      : setInterval(() => {
          metadata.read.purges.any().then((isAny) => void (isAny && fill()), onFault);
        }, pollMs).unref();

  return {
    nudge,
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
    async stop() {
      clearTimeout(timer);
      clearInterval(poll);
      stopAt = performance.now() + stopTimeoutMs;
      if (hasBegun) await fill();
      await calls.idle(() => filling);
    },
  };
}

/**
 * Sends batches in parallel, and pauses when the CDN always fails. New URLs are sent even then. They show whether the
 * CDN works again, and they need not wait for URLs that the CDN always rejects.
 */
function batchCalls({ metadata, hook, onFault, retryMs = 60_000 }: PurgeQueueOptions, onEnd: () => Promise<void>) {
  const running = new Set<Promise<void>>();
  let failuresInARow = 0;
  let pausedUntilMs = -Infinity;

  function mayRetry(isLast: boolean): boolean {
    if (isLast) return failuresInARow < failuresOfCdn;
    return running.size < maxCalls - 1 && performance.now() >= pausedUntilMs;
  }

  async function call(batch: readonly TakenPurge[]): Promise<void> {
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
  async function putBack(batch: readonly TakenPurge[]): Promise<void> {
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

  return {
    /**
     * Starts a call, unless all places are taken or nothing is due. Returns whether it did.
     *
     * @param isLast whether the queue stops, so that nothing is tried after many failures
     */
    async beginOne(isLast: boolean): Promise<boolean> {
      if (running.size >= maxCalls || (isLast && failuresInARow >= failuresOfCdn)) return false;
      const batch = await metadata.atomically(async (tx) => {
        const fresh = await tx.purges.takeNew(batchUrls, tx.now + callMs);
        return fresh.length > 0 || !mayRetry(isLast) ? fresh : tx.purges.takeFailed(tx.now + callMs);
      });
      if (batch.length === 0) return false;
      const one: Promise<void> = call(batch)
        .catch(onFault)
        .then(() => {
          running.delete(one);
          void onEnd();
        });
      running.add(one);
      return true;
    },
    /** Resolves when no call runs and none is being started. */
    async idle(starting: () => Promise<void>): Promise<void> {
      for (await starting(); running.size > 0; await starting()) await Promise.all(running);
    },
  };
}

function notTold(count: number): CdnUnavailable {
  return new CdnUnavailable(
    `The CDN was not told of ${count} changed files. It serves them as they were until their max-age is over.`,
  );
}
