import type { StoredObject } from './object.ts';

export interface ListPage {
  readonly objects: readonly StoredObject[];
  /** Whole key prefixes that end in `/`. */
  readonly folders: readonly string[];
  /** Asks for the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** Pages that were read already. The key names the account's revision, so a change to its files finds none of them. */
export interface ListPages {
  /** Never a page on which a file has expired since. */
  get(key: string, now: number): ListPage | undefined;
  set(key: string, page: ListPage, now: number): void;
}
