import { LRUCache } from 'lru-cache';

import type { ListPage, ListPages } from '#server/domain/objects/list-pages.ts';

/** Pages are cached for 30 minutes. */
const maxAgeMs = 30 * 60_000;

/** Entries and folders over all cached pages. Each takes about 1 KB. */
const maxEntries = 20_000;

/** Pages of lists in the memory of one process. The least recently used ones are dropped first. */
export class MemoryListPages implements ListPages {
  readonly #pages = new LRUCache<string, { readonly page: ListPage; readonly goodUntil: number }>({
    maxSize: maxEntries,
    sizeCalculation: ({ page }) => 1 + page.objects.length + page.folders.length,
  });

  get(key: string, now: number): ListPage | undefined {
    const cached = this.#pages.get(key);
    return cached && cached.goodUntil > now ? cached.page : undefined;
  }

  set(key: string, page: ListPage, now: number): void {
    // Folders may hide files that expire, so a page with folders is not cached.
    if (page.folders.length > 0) return;
    const goodUntil = page.objects.reduce(
      (soonest, { expiresAt }) => Math.min(soonest, expiresAt ?? soonest),
      now + maxAgeMs,
    );
    this.#pages.set(key, { page, goodUntil });
  }
}
