import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { expiresAtMs, expiryMark, isShort, parseDuration } from '#server/domain/duration.ts';

describe('parseDuration()', () => {
  it.each([
    ['1h', 1],
    ['6h', 6],
    ['24h', 24],
    ['1', 24],
    ['30', 720],
    ['30d', 720],
    ['1825', 43_800],
    ['1825d', 43_800],
    ['43800h', 43_800],
  ])('reads %s as %i hours', (text, hours) => {
    expect(parseDuration(text)).toEqual({ hours });
  });

  it.each([
    '',
    '0',
    '0h',
    '00',
    '007',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '1826',
    '1826d',
    '43801h',
    '1000000',
    '9999999h',
    ' 7',
    '7 ',
    '7\n',
    '7D',
    '7w',
    'd',
    'h',
    '7dd',
    '７',
    'NaN',
    '0x7',
  ])('rejects %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('isShort()', () => {
  it.each([
    ['6d', true],
    ['167h', true],
    ['168h', false],
    ['7', false],
    ['7d', false],
    ['1h', true],
  ])('of %s is %s', (text, short) => {
    expect(isShort(parseDuration(text)!)).toBe(short);
  });
});

describe('expiryMark()', () => {
  it.each([
    ['30', 'ex30'],
    ['30d', 'ex30'],
    ['6h', 'ex6h'],
    ['48h', 'ex2'],
    ['25h', 'ex25h'],
  ])('of %s is %s', (text, mark) => {
    expect(expiryMark(parseDuration(text)!)).toBe(mark);
  });

  it('returns a mark that parses as the same duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 43_800 }), (hours) => {
        expect(parseDuration(expiryMark({ hours }).replace('ex', ''))).toEqual({ hours });
      }),
    );
  });
});

describe('expiresAtMs()', () => {
  it('adds hours of 3,600,000 ms', () => {
    expect(expiresAtMs({ hours: 6 }, 1_000)).toBe(21_601_000);
    expect(expiresAtMs(parseDuration('30')!, 0)).toBe(2_592_000_000);
  });
});
