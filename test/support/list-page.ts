import type { ListPage } from '#server/features/files/listing/list-pages.ts';

/** A page of a list as it was read, with bytes that a cache can count. */
export interface PlainPage extends ListPage {
  readonly bytes: Uint8Array;
}

/** Renders a page of a list, for `listObjects()`. */
export function plainPage(page: ListPage): PlainPage {
  return { ...page, bytes: Buffer.from(JSON.stringify(page)) };
}
