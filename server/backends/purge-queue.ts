import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';

/** A CDN that can also be told later. */
export interface PurgeQueue extends Cdn {
  /** Sees to it that the CDN drops these soon; nobody waits for it. */
  purgeLater(urls: readonly string[]): void;
  /** Tells the CDN what is left, until it fails or `stopTimeoutMs` are over; takes nothing afterwards. */
  stop(): Promise<void>;
}

export interface PurgeQueueOptions {
  readonly cdn: Cdn;
  /** Told of each call that failed, once. */
  onFault(error: unknown): void;
  /** Many changes come together, and one call tells of all. */
  readonly delayMs?: number;
  /** After a call that failed, nothing is told for so long. */
  readonly retryMs?: number;
  readonly stopTimeoutMs?: number;
  /** URLs that wait, at most: about 200 bytes of memory each. */
  readonly maxWaiting?: number;
}

/** URLs in one call. */
export const batchUrls = 100;

/** How often a URL is told to a CDN that fails, before it is given up. */
export const maxTries = 60;

/** Gathers what a CDN is to drop, and tells it in batches, one at a time. What waits is lost with the process. */
export function purgeQueue(options: PurgeQueueOptions): PurgeQueue {
  const { cdn, onFault, delayMs = 50, retryMs = 60_000, stopTimeoutMs = 15_000, maxWaiting = 50_000 } = options;
  const waiting = waitingUrls(maxWaiting, (count) => onFault(notTold(count, '')));
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  /** By `performance.now()`. */
  let stopAt = Infinity;

  function plan(ms: number): void {
    if (stopAt === Infinity && timer === undefined && waiting.count() > 0) timer = setTimeout(() => void run(), ms).unref();
  }

  function run(): Promise<void> {
    running = running.then(async () => {
      let worked = true;
      while (worked && waiting.count() > 0 && performance.now() < stopAt) worked = await tellBatch(cdn, waiting, onFault);
      timer = undefined;
      plan(worked ? delayMs : retryMs);
    });
    return running;
  }

  function purgeLater(urls: readonly string[]): void {
    waiting.add(urls.map((url) => [url, 0]));
    plan(delayMs);
  }

  return {
    purge: (urls) => purgeNow(cdn, waiting, urls, onFault).finally(() => plan(delayMs)),
    purgeLater,
    async stop() {
      stopAt = performance.now() + stopTimeoutMs;
      clearTimeout(timer);
      await run();
      const left = waiting.take(Infinity).length;
      if (left > 0) onFault(notTold(left, ' before the server stopped'));
    },
  };
}

type Entry = readonly [url: string, failedTries: number];

/** URLs in the order in which they are told. */
interface WaitingUrls {
  count(): number;
  /** What waits already stays where it is. */
  add(entries: readonly Entry[]): void;
  remove(urls: readonly string[]): void;
  take(count: number): Entry[];
}

/** @param onLost told how many there was no room for, or were tried too often */
function waitingUrls(most: number, onLost: (count: number) => void): WaitingUrls {
  const tries = new Map<string, number>();
  const remove = (urls: readonly string[]) => urls.forEach((url) => tries.delete(url));
  return {
    count: () => tries.size,
    add(entries) {
      let lost = 0;
      for (const [url, failed] of entries) {
        if (tries.has(url)) continue;
        if (failed >= maxTries || tries.size >= most) lost++;
        else tries.set(url, failed);
      }
      if (lost > 0) onLost(lost);
    },
    remove,
    take(count) {
      const taken = [...tries.entries().take(count)];
      remove(taken.map(([url]) => url));
      return taken;
    },
  };
}

/** Answers false when the CDN fails. */
async function tellBatch(cdn: Cdn, waiting: WaitingUrls, onFault: PurgeQueueOptions['onFault']): Promise<boolean> {
  const batch = waiting.take(batchUrls);
  try {
    await cdn.purge(batch.map(([url]) => url));
    return true;
  } catch (error) {
    onFault(error);
    // At the end: one batch that is never agreed to must not keep the others waiting.
    waiting.add(batch.map(([url, tries]) => [url, tries + 1]));
    return false;
  }
}

/** Tells the CDN while somebody waits; what it does not agree to is told again later. */
async function purgeNow(cdn: Cdn, waiting: WaitingUrls, urls: readonly string[], onFault: PurgeQueueOptions['onFault']): Promise<void> {
  // What is told now need not be told later; what changes from here on must be.
  waiting.remove(urls);
  try {
    await cdn.purge(urls);
  } catch (error) {
    onFault(error);
    waiting.add(urls.map((url) => [url, 0]));
    throw error;
  }
}

function notTold(count: number, when: string): CdnUnavailable {
  return new CdnUnavailable(`The CDN was not told of ${count} changed files${when}. It serves them as they were until their max-age is over.`);
}
