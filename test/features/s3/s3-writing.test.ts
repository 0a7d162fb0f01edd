import { describe, expect, test } from 'vitest';

import { s3Metadata, writtenRow, splitMetadata } from '#server/features/s3/s3-writing.ts';

describe('splitMetadata()', () => {
  test('gives REST the values that fit its form, in order of the names, and keeps the rest', () => {
    const all = { f: '6', e: '5', d: '4', c: '3', b: '2', a: '1', with_line: 'x', 'cubby-own': 'y' };
    const { metadata, rest } = splitMetadata(all);
    expect(metadata).toEqual({ a: '1', b: '2', c: '3', d: '4', e: '5' });
    expect(rest).toEqual({ f: '6', with_line: 'x', 'cubby-own': 'y' });
    expect({ ...metadata, ...rest }).toEqual(all);
  });

  test('continues after a value that is too long for REST', () => {
    expect(splitMetadata({ a: 'x'.repeat(600), b: 'short' })).toEqual({
      metadata: { b: 'short' },
      rest: { a: 'x'.repeat(600) },
    });
  });
});

describe('writtenRow()', () => {
  test.each([
    ['max-age=60', 'max-age=60'],
    ['public, max-age=3600', 'max-age=3600'],
    ['Public,Max-Age=3600', 'max-age=3600'],
    ['public, max-age=31536000, immutable', 'immutable'],
    ['immutable', 'immutable'],
    ['public, max-age=60, immutable', 'max-age=60'],
    ['private, immutable', null],
    ['private, max-age=60, immutable', null],
    ['no-store, immutable', null],
    ['no-cache', null],
    ['no-store', null],
    ['private, max-age=60', null],
    ['max-age=5', null],
    [undefined, null],
  ])('shows Cache-Control %j in REST as %j', (cacheControl, expected) => {
    const row = writtenRow({ headers: cacheControl === undefined ? {} : { cacheControl }, metadata: {} }, undefined);
    expect(row.cacheControl).toBe(expected);
    expect(row.clientProperties?.cacheControl).toBe(cacheControl);
  });

  test.each([
    ['attachment; filename="a.txt"', 'attachment'],
    ['INLINE', 'inline'],
    ['form-data', null],
    ['attachmentx', null],
  ])('shows Content-Disposition %j in REST as %j', (contentDisposition, expected) =>
    expect(writtenRow({ headers: { contentDisposition }, metadata: {} }, undefined).disposition).toBe(expected),
  );

  test('s3Metadata() returns the metadata that was written', () => {
    const metadata = { a: '1', with_line: 'x' };
    expect(s3Metadata(writtenRow({ headers: {}, metadata }, undefined))).toEqual(metadata);
  });
});
