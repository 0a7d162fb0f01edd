import { describe, expect, it } from 'vitest';

import { formatHttpDate, parseHttpDate } from '#server/http/http-date.ts';

const instant = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('parseHttpDate() reads the three forms of RFC 9110 5.6.7', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', 'IMF-fixdate'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 'RFC 850'],
    ['Sun Nov  6 08:49:37 1994', 'asctime'],
  ])('%s: %s', (text) => {
    expect(parseHttpDate(text)).toBe(instant);
  });

  it('reads a two-digit year as a year up to 2069', () => {
    expect(parseHttpDate('Sunday, 06-Nov-26 08:49:37 GMT')).toBe(Date.UTC(2026, 10, 6, 8, 49, 37));
  });
});

describe('parseHttpDate() returns undefined for', () => {
  it.each([
    [''],
    ['0'],
    ['2024'],
    ['1 apple'],
    ['yesterday'],
    ['1994-11-06T08:49:37Z'],
    ['Sun, 06 Nov 1994 08:49:37 +0100'],
    ['Sun, 06 Nov 1994 08:49:37'],
    ['Sun, 31 Feb 2024 00:00:00 GMT'],
    ['Sun, 06 Foo 1994 08:49:37 GMT'],
    ['Sun, 06 Nov 1994 25:00:00 GMT'],
    ['Sun, 06 Nov 1994 08:60:00 GMT'],
    ['sun, 06 nov 1994 08:49:37 gmt'],
  ])('%j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});

it('formatHttpDate() writes an IMF-fixdate that is parsed as the same whole second', () => {
  expect(formatHttpDate(instant + 999)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(parseHttpDate(formatHttpDate(instant + 999))).toBe(instant);
});
