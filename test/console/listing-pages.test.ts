import { describe, expect, it } from 'vitest';

import { folderEntry, type Entry } from '#console/screens/files/entry.ts';
import { ListingPages } from '#console/screens/files/listing-pages.ts';

const rows = (page: number, count: number) => Array.from({ length: count }, (_, row) => folderEntry(`${page}-${row}/`));

/** Loads pages of ten rows, as a list does that is scrolled through. */
function filled(pages: number, isEnded = false): ListingPages {
  const list = new ListingPages();
  for (let page = 0; page < pages; page++)
    list.put(page, { entries: rows(page, 10), next: isEnded && page === pages - 1 ? undefined : `after ${page}` });
  return list;
}

describe('the pages of a list', () => {
  it('find each row, and ask for the next page at their end', () => {
    const list = filled(3);
    expect(list.at(0)?.name).toBe('0-0');
    expect(list.at(29)?.name).toBe('2-9');
    expect(list.missingFor(5, 25)).toBeUndefined();
    expect(list.missingFor(25, 33)).toBe(3);
    expect(list.cursorOf(3)).toBe('after 2');
  });

  it('end with a page that has no cursor', () => {
    const list = filled(2, true);
    expect([list.count, list.isEnded, list.missingFor(10, 40)]).toEqual([20, true, undefined]);
  });

  it('drop the rows that were not looked at for long, and load them again by their cursor', () => {
    const list = filled(30);
    expect(list.at(5)).toBeUndefined();
    expect(list.count).toBe(300);
    expect(list.missingFor(0, 20)).toBe(0);
    expect(list.cursorOf(0)).toBeUndefined();
    list.put(0, { entries: rows(0, 10), next: 'after 0' });
    expect(list.at(5)?.name).toBe('0-5');
    expect(list.missingFor(0, 20)).toBe(1);
    expect(list.loaded()).toHaveLength(200);
  });

  it('move the rows behind a page that has become shorter', () => {
    const list = filled(3);
    list.put(1, { entries: rows(1, 7), next: 'after 1' });
    expect([list.count, list.at(16)?.name, list.at(17)?.name]).toEqual([27, '1-6', '2-0']);
  });

  it('go on over an empty page', () => {
    const list = new ListingPages();
    list.put(0, { entries: [], next: 'a' });
    expect(list.missingFor(0, 3)).toBe(1);
    list.put(1, { entries: rows(1, 2), next: undefined });
    expect([list.count, list.at(1)?.name]).toEqual([2, '1-1']);
  });

  const byKey = (one: Entry, other: Entry) => (one.key < other.key ? 1 : -1);

  it('are put in order once all of a short list is there', () => {
    const list = new ListingPages(byKey);
    list.put(0, { entries: rows(0, 10), next: 'after 0' });
    expect([list.isOrdered, list.nextToOrder, list.at(0)?.name]).toEqual([false, 1, '0-0']);
    // A folder may be on two pages.
    list.put(1, { entries: [...rows(1, 2), ...rows(0, 1)], next: undefined });
    expect([list.isOrdered, list.nextToOrder, list.count]).toEqual([true, undefined, 12]);
    expect([list.at(0)?.name, list.at(11)?.name, list.at(12)]).toEqual(['1-1', '0-0', undefined]);
    expect(list.loaded().map(({ name }) => name)).toHaveLength(12);
    expect(list.missingFor(0, 30)).toBeUndefined();
  });

  it('stay in the order of the server if they are many, or have many rows', () => {
    const many = new ListingPages(byKey);
    for (let page = 0; page < 6; page++) {
      expect(many.nextToOrder).toBe(page);
      many.put(page, { entries: rows(page, 1), next: `after ${page}` });
    }
    expect([many.nextToOrder, many.missingFor(0, 3)]).toEqual([undefined, undefined]);
    many.put(6, { entries: rows(6, 1), next: undefined });
    expect([many.isOrdered, many.at(0)?.name]).toEqual([false, '0-0']);
    const long = new ListingPages(byKey);
    long.put(0, { entries: rows(0, 5000), next: 'after 0' });
    expect(long.nextToOrder).toBeUndefined();
    long.put(1, { entries: rows(1, 1), next: undefined });
    expect(long.isOrdered).toBe(false);
  });
});
