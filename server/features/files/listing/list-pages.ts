import type { ListedObject } from '../table.ts';

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** Key prefixes that end in `/`. */
  readonly folders: readonly string[];
  /** Keys of the legacy files that have no URL, because the public file of the same key has it. */
  readonly hiddenKeys: readonly string[];
  /** The cursor of the next page. Undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * A cache of pages, each in the form in which it is sent. The key contains the account's revision, so older pages are
 * not found after a change to its files.
 */
export interface ListPages<Rendered> {
  get(key: string, now: number): Rendered | undefined;
  /** @param goodUntil the page is not returned from this instant on */
  set(key: string, page: Rendered, goodUntil: number): void;
}
