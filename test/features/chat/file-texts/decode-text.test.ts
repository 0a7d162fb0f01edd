import { describe, expect, it } from 'vitest';

import { decodeText, isPdf } from '#server/features/chat/file-texts/decode-text.ts';

const bytes = (...parts: ReadonlyArray<string | readonly number[]>) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part as number[]))));
const bigEndian = (text: string) => [...Buffer.from(text, 'utf16le').swap16()];
const littleEndian = (text: string) => [...Buffer.from(text, 'utf16le')];

describe('decodeText()', () => {
  it.each([
    ['nothing', bytes(), ''],
    ['ASCII', bytes('a\r\n\tb\u0007'), 'a\r\n\tb\u0007'],
    ['UTF-8', bytes('é漢😀'), 'é漢😀'],
    ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], 'é'), 'é'],
    ['only the mark of UTF-8', bytes([0xef, 0xbb, 0xbf]), ''],
    ['little-endian UTF-16', bytes([0xff, 0xfe], littleEndian('é漢😀')), 'é漢😀'],
    ['big-endian UTF-16', bytes([0xfe, 0xff], bigEndian('é漢😀')), 'é漢😀'],
  ])('returns the text of %s', (_, given, text) => {
    expect(decodeText(given)).toBe(text);
  });

  it.each([
    ['a NUL', bytes('a', [0], 'b')],
    ['a byte of Latin-1', bytes('caf', [0xe9])],
    ['UTF-8 that is cut off', bytes('a', [0xf0, 0x9f, 0x98])],
    ['an overlong form', bytes([0xc0, 0xaf])],
    ['a surrogate in UTF-8', bytes([0xed, 0xa0, 0x80])],
    ['half of a pair in UTF-16', bytes([0xff, 0xfe], [0x00, 0xd8, 0x41, 0x00])],
    ['an odd byte of UTF-16', bytes([0xff, 0xfe], [0x41])],
    ['UTF-32', bytes([0xff, 0xfe, 0, 0], [0x41, 0, 0, 0])],
    ['UTF-16 without a mark', bytes(littleEndian('abc'))],
    ['a PNG', bytes([0x89], 'PNG\r\n', [0x1a, 0x0a])],
    ['a ZIP', bytes('PK', [3, 4, 20, 0])],
  ])('returns undefined for %s', (_, given) => {
    expect(decodeText(given)).toBeUndefined();
  });
});

it('isPdf() looks at the first bytes alone', () => {
  expect([isPdf(bytes('%PDF-1.7')), isPdf(bytes('a %PDF-1.7')), isPdf(bytes('%PDF')), isPdf(bytes())]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
