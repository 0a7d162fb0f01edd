import { describe, expect, it } from 'vitest';

import { keyOf } from '#console/files/object-id.ts';
import { folderOf, givenName, isFolderOrTop, isLegacy, isName } from '#console/screens/files/object-key.ts';
import { hrefOf, placeOf } from '#console/screens/files/place.ts';
import { waitOf } from '#console/screens/files/list-pace.ts';
import { kindOf } from '#console/screens/files/entry.ts';

describe('ids and keys', () => {
  it.each([
    ['pub/204815162342108999/invoices/april-ex30.pdf', 'invoices/april-ex30.pdf', 'invoices', 'april', false],
    ['prv/204815162342108999/lease_k3v9q2m7x4b6n5tw.pdf', 'lease_k3v9q2m7x4b6n5tw.pdf', undefined, 'lease', false],
    [
      'prv/204815162342108999/a/b/april_t6h3w2c7r5d4y2ma-ex30.pdf',
      'a/b/april_t6h3w2c7r5d4y2ma-ex30.pdf',
      'a/b',
      'april',
      false,
    ],
    ['204815162342108999/scan.png', 'scan.png', undefined, 'scan', true],
  ])('%s', (id, key, folder, given, isOld) => {
    expect([keyOf(id), folderOf(key), givenName(key), isLegacy(id)]).toEqual([key, folder, given, isOld]);
  });

  it('are checked as the contract does', () => {
    expect(['april', 'a.b', '2026_x'].every(isName)).toBe(true);
    expect(['', '-a', 'a b', 'a.', 'a..b', 'april-ex30', 'ä', 'a/b'].some(isName)).toBe(false);
    expect(['', 'a', 'a/b/', 'a/b-c/2026'].every(isFolderOrTop)).toBe(true);
    expect(['/', 'a//b', 'a/b c', '1/2/3/4/5/6/7/8/9'].some(isFolderOrTop)).toBe(false);
  });

  it('have addresses', () => {
    expect(placeOf(['private', 'a', 'b c'])).toEqual({ space: 'private', prefix: 'a/b c/' });
    expect(placeOf([])).toEqual({ space: 'all', prefix: '' });
    expect(hrefOf({ space: 'public', prefix: 'a/b c/' })).toBe('/console/files/public/a/b%20c');
  });
});

it('the limit of lists is waited for when one request is left', () => {
  expect(waitOf('"list";r=0;t=12, "account";r=599;t=60')).toBe(12);
  expect(waitOf('"list";r=20;t=12')).toBe(0);
  expect(waitOf(null)).toBe(0);
});

it.each([
  ['a.PNG', 'image'],
  ['b.tar.gz', 'archive'],
  ['c.md', 'text'],
  ['d', 'other'],
])('%s is of the kind %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});
