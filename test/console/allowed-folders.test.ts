import { expect, it } from 'vitest';

import { allowedFolders } from '#console/screens/files/allowed-folders.ts';

const prefixes = ['invoices/2026', 'contracts', 'invoices/2025'];

it.each([
  ['', ['contracts/', 'invoices/']],
  ['invoices/', ['invoices/2025/', 'invoices/2026/']],
  ['invoices/2026/', undefined],
  ['contracts/a/', undefined],
  ['other/', []],
])('a key for some folders sees in "%s" %j', (place, folders) => {
  expect(allowedFolders(prefixes, place)).toEqual(folders);
});

it('a key without restriction lists every folder', () => {
  expect(allowedFolders(null, '')).toBeUndefined();
});
