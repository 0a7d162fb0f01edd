import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';
import { waitingUrls, type UrlBatch, type WaitingUrls } from './waiting-urls.ts';

/** A CDN that can also be told later. @see D-103 */
export interface PurgeQueue extends Cdn {
  /** Tells the CDN what is left, until it fails or `stopTimeoutMs` are over; takes nothing afterwards. */
  stop(): Promise<void>;
}

export interface PurgeQueueOptions {
  readonly cdn: Pick<Cdn, 'purge'>;
  /** Told of each call that failed, once. */
  onFault(error: unknown): void;
  /** Many changes come together, and one call tells of all. */
  readonly delayMs?: number;
  /**
   * A URL whose purge failed waits for so long; when nothing but failures came, all those do that were in a call that
   * failed.
   */
  readonly retryMs?: number;
  readonly stopTimeoutMs?: number;
  /** URLs that wait, at most: about 200 bytes of memory each. */
  readonly maxWaiting?: number;
}

/** URLs in one call. */
export const batchUrls = 100;

/** How often a URL is told to a CDN that fails, before it is given up. */
export const maxTries = 60;

/**
 * Calls side by side, so that one that takes long holds up no other. The last place is for URLs that were in no call
 * yet.
 */
const maxCalls = 3;

/**
 * After so many failures in a row it is the CDN, and no URL. Halving a batch to find one bad URL among 100 never has as
 * many.
 */
const failuresOfCdn = 10;

/**
 * Gathers what a CDN is to drop, and tells it in batches. A batch that fails is told again in halves at once, so that a
 * URL that the CDN does not take delays no other. What waits is lost with the process.
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
  /** A call has ended. */
  onEnd(): void;
}

/**
 * Tells batches side by side, and keeps away from a CDN that fails whatever it is told. What is new is told even then:
 * it finds out that the CDN works again, and it need not wait where the failures are of URLs that the CDN never takes.
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
    /** Begins as many calls as may be. @param isLast after a pause there is nobody to call any more */
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
    /** When there is something to call about; undefined where a call that ends will tell. */
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

/** Tells the CDN while somebody waits, who takes the change back where it does not agree. */
async function purgeNow(
  cdn: Pick<Cdn, 'purge'>,
  waiting: WaitingUrls,
  urls: readonly string[],
  onFault: PurgeQueueOptions['onFault'],
): Promise<void> {
  // What is told now need not be told later; what changes from here on must be.
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
