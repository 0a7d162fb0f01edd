import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';
import { waitingUrls, type UrlBatch, type WaitingUrls } from './waiting-urls.ts';

/** A CDN that can also be purged later. @see D-103 */
interface PurgeQueue extends Cdn {
  /** Purges the remaining URLs until the CDN fails or `stopTimeoutMs` are over. Accepts nothing afterwards. */
  stop(): Promise<void>;
}

export interface PurgeQueueOptions {
  readonly cdn: Pick<Cdn, 'purge'>;
  /** Called once for each failed call. */
  onFault(error: unknown): void;
  /** Debounce: changes within this time share one call. */
  readonly delayMs?: number;
  /** The pause before a failed URL is tried again. After {@link failuresOfCdn} failures in a row, all failed URLs wait. */
  readonly retryMs?: number;
  readonly stopTimeoutMs?: number;
  /** At most this many URLs wait. Each takes about 200 bytes of memory. */
  readonly maxWaiting?: number;
}

/** URLs in one call. */
export const batchUrls = 100;

/** After this many failed tries a URL is dropped. */
export const maxTries = 60;

/** Parallel calls, so that a slow call does not delay the others. The last place is for URLs that were in no call yet. */
const maxCalls = 3;

/** After this many failures in a row, the CDN is at fault. Halving a batch with one bad URL of 100 takes fewer. */
const failuresOfCdn = 10;

/**
 * Collects URLs and purges them in batches. A failed batch is tried again at once in halves, so that a URL that the CDN
 * rejects does not delay the others. Waiting URLs are lost with the process.
 */
export function purgeQueue(options: PurgeQueueOptions): PurgeQueue {
  const { cdn, onFault, delayMs = 50, retryMs = 60_000, stopTimeoutMs = 15_000, maxWaiting = 50_000 } = options;
  const waiting = waitingUrls({
    maxWaiting,
    maxTries,
    maxTogether: batchUrls,
    onLost: (count) => onFault(notTold(count, '')),
  });
  const caller = batchCaller({ cdn, onFault, waiting, retryMs, onEnd: () => void fill() });
  let timer: { readonly dueMs: number; readonly handle: NodeJS.Timeout } | undefined;
  /** By `performance.now()`. */
  let stopAt = Infinity;

  function plan(dueMs: number): void {
    if (stopAt !== Infinity || (timer && timer.dueMs <= dueMs)) return;
    clearTimeout(timer?.handle);
    timer = { dueMs, handle: setTimeout(fill, Math.max(0, dueMs - performance.now())).unref() };
  }

  function fill(): void {
    clearTimeout(timer?.handle);
    timer = undefined;
    if (performance.now() < stopAt) caller.callAll(stopAt !== Infinity);
    const dueMs = caller.nextDueMs();
    if (dueMs !== undefined) plan(dueMs);
  }

  return {
    purge: (urls) => purgeNow(cdn, waiting, urls, onFault).finally(() => plan(performance.now() + delayMs)),
    purgeLater(urls) {
      waiting.add(urls);
      plan(performance.now() + delayMs);
    },
    async stop() {
      stopAt = performance.now() + stopTimeoutMs;
      waiting.hurry();
      fill();
      await caller.idle();
      const left = waiting.clear();
      if (left > 0) onFault(notTold(left, ' before the server stopped'));
    },
  };
}

interface BatchCallerOptions extends Pick<PurgeQueueOptions, 'cdn' | 'onFault'> {
  readonly waiting: WaitingUrls;
  readonly retryMs: number;
  /** Called when a call has ended. */
  onEnd(): void;
}

/**
 * Purges batches in parallel, and pauses when the CDN always fails. New URLs are purged even then. They show whether
 * the CDN works again, and they need not wait for URLs that the CDN always rejects.
 */
function batchCaller({ cdn, onFault, waiting, retryMs, onEnd }: BatchCallerOptions) {
  const running = new Set<Promise<void>>();
  let failuresInARow = 0;
  let pausedUntilMs = -Infinity;

  async function call(batch: UrlBatch): Promise<void> {
    try {
      await cdn.purge(batch.urls);
      failuresInARow = 0;
      pausedUntilMs = -Infinity;
    } catch (error) {
      onFault(error);
      const now = performance.now();
      failuresInARow++;
      if (failuresInARow >= failuresOfCdn) pausedUntilMs = now + retryMs;
      waiting.putBack(batch, now + retryMs);
    }
  }

  function mayCall(isLast: boolean): boolean {
    if (isLast) return failuresInARow < failuresOfCdn;
    return waiting.hasNew() || (running.size < maxCalls - 1 && performance.now() >= pausedUntilMs);
  }

  return {
    /**
     * Starts as many calls as allowed.
     *
     * @param isLast whether the queue stops, so that nothing is tried after a pause
     */
    callAll(isLast: boolean): void {
      while (running.size < maxCalls) {
        const batch = mayCall(isLast) ? waiting.take(performance.now()) : undefined;
        if (!batch) return;
        const one: Promise<void> = call(batch).then(() => {
          running.delete(one);
          onEnd();
        });
        running.add(one);
      }
    },
    /**
     * Returns when the next call is due, by `performance.now()`. Returns undefined if no URL waits, or if a running
     * call must end first.
     */
    nextDueMs(): number | undefined {
      if (waiting.hasNew() && running.size < maxCalls) return 0;
      const dueMs = waiting.nextRetryMs();
      return dueMs === undefined || running.size >= maxCalls - 1 ? undefined : Math.max(dueMs, pausedUntilMs);
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Purges while a caller waits. The caller undoes its change when this rejects. */
async function purgeNow(
  cdn: Pick<Cdn, 'purge'>,
  waiting: WaitingUrls,
  urls: readonly string[],
  onFault: PurgeQueueOptions['onFault'],
): Promise<void> {
  // These URLs need no later purge, unless they change again from here on.
  const putBack = waiting.remove(urls);
  try {
    await cdn.purge(urls);
  } catch (error) {
    onFault(error);
    putBack();
    throw error;
  }
}

function notTold(count: number, when: string): CdnUnavailable {
  return new CdnUnavailable(
    `The CDN was not told of ${count} changed files${when}. It serves them as they were until their max-age is over.`,
  );
}
