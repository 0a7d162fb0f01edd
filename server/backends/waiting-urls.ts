/** URLs of one call. */
export interface UrlBatch {
  readonly urls: readonly string[];
  readonly entries: ReadonlyArray<readonly [url: string, entry: Entry]>;
}

interface Entry {
  readonly failedTries: number;
  /** By `performance.now()`. */
  readonly dueMs: number;
  /** The largest batch that it may be part of. It halves with each failed call, down to 1. */
  readonly maxTogether: number;
}

/**
 * URLs that wait for a purge, in the order of their arrival. URLs of failed calls come after all others.
 */
export interface WaitingUrls {
  /** URLs that wait already keep their place. */
  add(urls: readonly string[]): void;
  /** Removes these URLs. Returns a function that puts back those that were waiting. */
  remove(urls: readonly string[]): () => void;
  /** Returns whether a URL was in no call yet. It is due at once. */
  hasNew(): boolean;
  /** Returns when the next URL of a failed call is due, or undefined when there is none. */
  nextRetryMs(): number | undefined;
  /**
   * Removes and returns the URLs of the next call: new ones first, else those that are due again. Returns undefined when
   * there are none.
   */
  take(nowMs: number): UrlBatch | undefined;
  /** Adds a failed batch again: its halves are due at once, a single URL at `retryAtMs`. */
  putBack(batch: UrlBatch, retryAtMs: number): void;
  /** Makes all URLs due at once. */
  hurry(): void;
  /** Removes all URLs. Returns their number. */
  clear(): number;
}

interface WaitingUrlsOptions {
  readonly maxWaiting: number;
  /** After this many failed tries a URL is lost. */
  readonly maxTries: number;
  readonly maxTogether: number;
  /** Called with the number of URLs that were dropped, because the queue was full or they failed too often. */
  onLost(count: number): void;
}

/** Creates an empty queue. */
export function waitingUrls({ maxWaiting, maxTries, maxTogether, onLost }: WaitingUrlsOptions): WaitingUrls {
  // Two maps, so that URLs that always fail never come before new ones.
  const [fresh, failed] = [new Map<string, Entry>(), new Map<string, Entry>()];

  function put(entries: Iterable<readonly [string, Entry]>): void {
    let lost = 0;
    for (const [url, entry] of entries) {
      if (fresh.has(url) || failed.has(url)) continue;
      if (entry.failedTries >= maxTries || fresh.size + failed.size >= maxWaiting) lost++;
      else (entry.failedTries === 0 ? fresh : failed).set(url, entry);
    }
    if (lost > 0) onLost(lost);
  }

  function nextRetryMs(): number | undefined {
    let earliest: number | undefined;
    for (const { dueMs } of failed.values()) {
      // Nothing is due earlier than 0.
      if (dueMs === 0) return 0;
      earliest = Math.min(earliest ?? Infinity, dueMs);
    }
    return earliest;
  }

  return {
    add: (urls) => put(urls.map((url) => [url, { failedTries: 0, dueMs: 0, maxTogether }])),
    remove(urls) {
      const removed = urls.flatMap((url) => {
        const entry = fresh.get(url) ?? failed.get(url);
        fresh.delete(url);
        failed.delete(url);
        return entry ? [[url, entry] as const] : [];
      });
      return () => put(removed);
    },
    hasNew: () => fresh.size > 0,
    nextRetryMs,
    take(nowMs) {
      const waiting = fresh.size > 0 ? fresh : failed;
      const entries: Array<readonly [string, Entry]> = [];
      for (const [url, entry] of waiting) {
        if (entry.dueMs > nowMs || (entries.length > 0 && entry.maxTogether !== entries[0]![1].maxTogether)) continue;
        entries.push([url, entry]);
        if (entries.length === entry.maxTogether) break;
      }
      for (const [url] of entries) waiting.delete(url);
      return entries.length === 0 ? undefined : { urls: entries.map(([url]) => url), entries };
    },
    putBack({ entries }, retryAtMs) {
      const half = Math.ceil(entries.length / 2);
      const dueMs = entries.length === 1 ? retryAtMs : 0;
      put(entries.map(([url, { failedTries }]) => [url, { failedTries: failedTries + 1, dueMs, maxTogether: half }]));
    },
    hurry: () => failed.forEach((entry, url) => failed.set(url, { ...entry, dueMs: 0 })),
    clear() {
      const size = fresh.size + failed.size;
      fresh.clear();
      failed.clear();
      return size;
    },
  };
}
