/** URLs that are told together. */
export interface UrlBatch {
  readonly urls: readonly string[];
  readonly entries: ReadonlyArray<readonly [url: string, entry: Entry]>;
}

interface Entry {
  readonly failedTries: number;
  /** By `performance.now()`. */
  readonly dueMs: number;
  /** It is told with at most so many: fewer after each call that failed, until it is told alone. */
  readonly maxTogether: number;
}

/**
 * URLs that a CDN is still to be told, in the order in which they came; those of calls that failed stand behind all
 * others.
 */
export interface WaitingUrls {
  /** What waits already stays where it is. */
  add(urls: readonly string[]): void;
  /** Removes these URLs. Returns a function that puts back those that were waiting. */
  remove(urls: readonly string[]): () => void;
  /** Whether there is one that was in no call yet: it is due at once. */
  hasNew(): boolean;
  /** When the next is due of those that were in a call that failed; undefined when none waits. */
  nextRetryMs(): number | undefined;
  /**
   * The URLs of the next call: those that were in none yet, else those that are due again. Undefined when there are
   * none.
   */
  take(nowMs: number): UrlBatch | undefined;
  /** Takes back a batch that failed: its URLs are told in halves at once, and a single one at `retryAtMs`. */
  putBack(batch: UrlBatch, retryAtMs: number): void;
  /** All are due at once. */
  hurry(): void;
  /** Answers how many there were. */
  clear(): number;
}

export interface WaitingUrlsOptions {
  readonly maxWaiting: number;
  /** After as many tries that failed a URL is lost. */
  readonly maxTries: number;
  readonly maxTogether: number;
  /** Told how many URLs there was no room for, or were tried too often. */
  onLost(count: number): void;
}

/** None at first. */
export function waitingUrls({ maxWaiting, maxTries, maxTogether, onLost }: WaitingUrlsOptions): WaitingUrls {
  // Apart, so that URLs that no call can tell stand before no new one.
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
      // Nothing is due before what is due at once.
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
