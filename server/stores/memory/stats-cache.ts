import { LRUCache } from 'lru-cache';

import type { AccountStats, StatsCache } from '#server/domain/account/account-stats.ts';
import { atMost } from '#server/domain/at-most.ts';

/** Cached per account for 1 minute. */
const maxAgeMs = 60_000;

/** Stats in the memory of one process. The least recently used ones are dropped first. */
export class MemoryStatsCache implements StatsCache {
  readonly #cached = new LRUCache<string, { readonly stats: AccountStats; readonly readAt: number }>(atMost(10_000));

  get(key: string, now: number): AccountStats | undefined {
    const cached = this.#cached.get(key);
    // If the clock was put back, older stats do not count as fresh again.
    return cached && now >= cached.readAt && now < cached.readAt + maxAgeMs ? cached.stats : undefined;
  }

  set(key: string, stats: AccountStats, now: number): void {
    this.#cached.set(key, { stats, readAt: now });
  }
}
