import { LRUCache } from 'lru-cache';

import type { ListPages } from '../../listing/list-pages.ts';

/** All cached pages together. A page of 1000 files takes about 300 KB. */
const maxCacheBytes = 32 * 1024 * 1024;

/** The memory of a page besides its bytes and its key. A character of the key may take two bytes. */
const bytesBesides = 1024;

/** A page as it is sent. */
interface PageBytes {
  readonly bytes: Uint8Array;
}

/** Pages of lists in the memory of one process. The least recently used ones are dropped first. */
export class MemoryListPages<Page extends PageBytes> implements ListPages<Page> {
  readonly #pages = new LRUCache<string, { readonly page: Page; readonly goodUntil: number }>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ page }, key) => page.bytes.byteLength + 2 * key.length + bytesBesides,
  });

  get(key: string, now: number): Page | undefined {
    const cached = this.#pages.get(key);
    return cached && cached.goodUntil > now ? cached.page : undefined;
  }

  set(key: string, page: Page, goodUntil: number): void {
    this.#pages.set(key, { page, goodUntil });
  }
}
