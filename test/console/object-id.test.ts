import { expect, it } from 'vitest';

import { folderAbove, folderPattern, isFolder, keyOf, spaceOf } from '#console/files/object-id.ts';
import { plainText } from '#console/ui/plain-text.ts';

it.each([
  ['pub/204815162342108999/invoices/april.pdf', 'public', 'invoices/april.pdf'],
  ['prv/204815162342108999/april.pdf', 'private', 'april.pdf'],
  ['204815162342108999/a/b', 'legacy', 'a/b'],
  ['prv/204815162342108999/', 'private', ''],
])('%s is %s and has the key %s', (id, space, key) => {
  expect(spaceOf(id)).toBe(space);
  expect(keyOf(id)).toBe(key);
});

it.each([
  ['a', true],
  ['a/b_c.d-e/', true],
  ['', false],
  ['/a', false],
  ['a//b', false],
  ['a..b', false],
  ['a b', false],
  ['.a', false],
])('whether "%s" is a folder: %s', (text, is) => {
  expect(isFolder(text)).toBe(is);
  // The field's pattern may take more, and never less. Browsers compile it with the flag v.
  if (is) expect(text).toMatch(new RegExp(`^(?:${folderPattern})$`, 'v'));
});

it.each([
  ['a/b/c/', 'a/b/'],
  ['a/b/c', 'a/b/'],
  ['a', ''],
  ['', ''],
])('above "%s" is "%s"', (prefix, above) => {
  expect(folderAbove(prefix)).toBe(above);
});

it('shows marks that would turn letters around', () => {
  expect(plainText('photo\u202Egpj.exe')).toBe('photo\uFFFDgpj.exe');
  expect(plainText('\u0635\u0648\u0631\u200F.jpg')).toBe('\u0635\u0648\u0631\u200F.jpg');
});
