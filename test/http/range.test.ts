import { describe, expect, it } from 'vitest';

import { parseRange } from '#server/http/range.ts';

const single = (start: number, end: number) => ({ kind: 'single', start, end });

describe('parseRange() serves one range', () => {
  it.each([
    ['bytes=0-499', 0, 499, 'the first 500 bytes'],
    ['bytes=500-999', 500, 999, 'the second 500 bytes'],
    ['bytes=-500', 9500, 9999, 'the final 500 bytes'],
    ['bytes=9500-', 9500, 9999, 'the final 500 bytes, by their start'],
    ['bytes=0-0', 0, 0, 'the first byte'],
    ['bytes=-1', 9999, 9999, 'the last byte'],
    ['bytes=9999-20000', 9999, 9999, 'a last-pos beyond the end, which means the end'],
    ['bytes=0-99999999999999999999', 0, 9999, 'a last-pos that is too large for a number'],
    ['bytes=-20000', 0, 9999, 'a suffix longer than the representation, which means all of it'],
    ['bytes= 0-4', 0, 4, 'blanks around a range'],
    ['BYTES=0-4', 0, 4, 'range units are case-insensitive'],
  ])('%s → %i-%i: %s', (header, start, end) => {
    expect(parseRange(header, 10_000)).toEqual(single(start, end));
  });
});

describe('parseRange() combines several ranges', () => {
  it.each([
    ['bytes=0-4,5-9', 0, 9, 'adjacent'],
    ['bytes=0-6,3-9', 0, 9, 'overlapping'],
    ['bytes=5-9,0-4', 0, 9, 'in any order'],
    ['bytes=0-9,2-3', 0, 9, 'one within the other'],
    ['bytes=0-4,20000-', 0, 4, 'one of them unsatisfiable'],
    ['bytes=9990-, -20', 9980, 9999, 'an end and a suffix'],
  ])('%s → %i-%i: %s', (header, start, end) => {
    expect(parseRange(header, 10_000)).toEqual(single(start, end));
  });

  it('serves the whole representation when the ranges do not form a single one', () => {
    expect(parseRange('bytes=0-4,9-12', 10_000)).toEqual({ kind: 'none' });
  });

  it('parses thousands of ranges in a short time', () => {
    const header = `bytes=${Array.from({ length: 4000 }, (_, i) => `${i * 2}-${i * 2}`).join(',')}`;
    expect(parseRange(header, 10_000)).toEqual({ kind: 'none' });
  });
});

describe('parseRange() returns unsatisfiable when', () => {
  it.each([
    ['bytes=10000-', 10_000, 'the first position is the length'],
    ['bytes=10000-10500', 10_000, 'all of it lies beyond the end'],
    ['bytes=-0', 10_000, 'the suffix has no bytes'],
    ['bytes=20000-,30000-', 10_000, 'no range of several can be served'],
    ['bytes=0-', 0, 'the representation is empty'],
    ['bytes=-5', 0, 'the representation is empty, from its end'],
  ])('%s of %i: %s', (header, sizeBytes) => {
    expect(parseRange(header, sizeBytes)).toEqual({ kind: 'unsatisfiable' });
  });
});

describe('parseRange() ignores', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'no header'],
    ['', 'an empty header'],
    ['bytes', 'no range set'],
    ['bytes=', 'an empty set'],
    ['bytes=-', 'neither end'],
    ['bytes=5-2', 'a last-pos before the first-pos'],
    ['bytes=0-4,5-2', 'one invalid range of several'],
    ['bytes=a-b', 'no numbers'],
    ['bytes=0x0-0x4', 'numbers in another notation'],
    ['bytes=1.5-2', 'fractions'],
    ['bytes=--5', 'two signs'],
    ['bytes=0-4;5-9', 'another separator'],
    ['items=0-4', 'another unit'],
    ['0-4', 'no unit'],
  ])('%j: %s', (header) => {
    expect(parseRange(header, 10_000)).toEqual({ kind: 'none' });
  });
});
