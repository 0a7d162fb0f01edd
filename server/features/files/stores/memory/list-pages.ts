import { CacheUntil } from '#server/stores/memory/cache-until.ts';
import type { ListPages } from '../../listing/list-pages.ts';

/** All cached pages together. A page of 1000 files takes about 300 KB. */
const maxCacheBytes = 32 * 1024 * 1024;

/** The memory of a page besides its bytes and its key. A character of the key may take two bytes. */
const bytesBesides = 1024;

/** A page as it is sent. */
interface PageBytes {
  readonly bytes: Uint8Array;
}

/** Pages of lists in the memory of one process. */
export class MemoryListPages<Page extends PageBytes> extends CacheUntil<Page> implements ListPages<Page> {
  constructor() {
    super(maxCacheBytes, ({ bytes }, key) => bytes.byteLength + 2 * key.length + bytesBesides);
  }
}
