import { LRUCache } from 'lru-cache';

import type { BreakdownCache, ErrorBreakdown } from '../../error-breakdown.ts';

/** Buckets and paths over all breakdowns. Each takes some hundred bytes. */
const maxEntries = 100_000;

/** Breakdowns of errors in the memory of one process. The least recently used ones are dropped first. */
export class MemoryBreakdownCache extends LRUCache<string, ErrorBreakdown> implements BreakdownCache {
  constructor() {
    super({
      maxSize: maxEntries,
      sizeCalculation: ({ timeseries, topPaths }) => 1 + timeseries.length + topPaths.length,
    });
  }
}
