import type { ListedObject } from './table.ts';

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** Key prefixes that end in `/`. */
  readonly folders: readonly string[];
  /** The cursor of the next page. Undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * A cache of pages. The key contains the account's revision, so older pages are not found after a change to its files.
 */
export interface ListPages {
  /** Never returns a page on which a file has expired since. */
  get(key: string, now: number): ListPage | undefined;
  set(key: string, page: ListPage, now: number): void;
}
