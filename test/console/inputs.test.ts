import { expect, it } from 'vitest';

import { parseExtensions, parseList, parseMetadata, parseSize, sizePattern, sizeText } from '#console/inputs.ts';

it.each([
  ['100', 100],
  ['100 B', 100],
  ['1 KB', 1024],
  ['1.5 MB', 1.5 * 1024 ** 2],
  ['1,5mib', 1.5 * 1024 ** 2],
  [' 2 G ', 2 * 1024 ** 3],
  ['1 TiB', 1024 ** 4],
  ['', undefined],
  ['MB', undefined],
  ['-1 MB', undefined],
  ['1 EB', undefined],
])('the size "%s" is %s bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
  if (bytes !== undefined) expect(text).toMatch(new RegExp(`^(?:${sizePattern})$`, 'v'));
});

it.each([0, 1, 512, 1000, 1024, 52_428_800, 5_368_709_120, 1_099_511_627_776, 1_099_511_627_775])(
  'the size %s is read again from its text',
  (bytes) => {
    expect(parseSize(sizeText(bytes))).toBe(bytes);
  },
);

it('reads extensions with dots, stars, capitals and any separators', () => {
  expect(parseExtensions('.PDF, *.jpg;tar.gz\npdf')).toEqual(['pdf', 'jpg', 'tar.gz']);
  expect(parseExtensions(' , ')).toEqual([]);
});

it('reads a list once each', () => {
  expect(parseList('https://a.example, https://b.example\nhttps://a.example')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
});

it.each([
  ['', {}],
  ['customer: acme', { customer: 'acme' }],
  ['a=1\n\n b : two words: and more ', { a: '1', b: 'two words: and more' }],
  ['no pair', undefined],
])('the metadata %j is %j', (text, pairs) => {
  expect(parseMetadata(text)).toEqual(pairs);
});
