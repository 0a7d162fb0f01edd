import { describe, expect, it } from 'vitest';

import {
  cappedCacheControl,
  isCacheControl,
  queryCacheControl,
  redirectCacheControl,
  servedCacheControl,
} from '#server/domain/cache-control.ts';

describe('isCacheControl()', () => {
  it.each(['immutable', 'no-cache', 'max-age=60', 'max-age=3600', 'max-age=31536000'])('accepts %s', (value) => {
    expect(isCacheControl(value)).toBe(true);
  });

  it.each([
    '',
    'max-age=59',
    'max-age=31536001',
    'max-age=0',
    'max-age=060',
    'max-age=',
    'max-age=1e3',
    'max-age=60.5',
    'max-age=60 ',
    'max-age=60\n',
    'Max-Age=60',
    'no-store',
    'private',
    'immutable, max-age=60',
    'max-age=60\r\nX-Evil: 1',
    `max-age=${'9'.repeat(400)}`,
  ])('rejects %j', (value) => {
    expect(isCacheControl(value)).toBe(false);
  });
});

describe('servedCacheControl()', () => {
  it.each([
    ['immutable', 'public, max-age=31536000, immutable'],
    ['max-age=3600', 'public, max-age=3600'],
    ['no-cache', 'no-cache'],
  ])('widens %s to %s', (value, header) => {
    expect(servedCacheControl(value)).toBe(header);
  });
});

describe('cappedCacheControl()', () => {
  it.each([
    ['public, max-age=31536000, immutable', 90_999, 'public, max-age=90, immutable'],
    ['public, max-age=60', 90_000, 'public, max-age=60'],
    ['public, max-age=60', 999, 'public, max-age=0'],
    ['public, max-age=60', -1, 'public, max-age=0'],
    ['public, max-age=60', null, 'public, max-age=60'],
    ['no-cache', 1000, 'no-cache'],
    ['Max-Age="900", S-MaxAge=3600', 60_000, 'Max-Age="60", S-MaxAge=60'],
    [
      'max-age=10, stale-while-revalidate=600, stale-if-error=600',
      60_000,
      'max-age=10, stale-while-revalidate=0, stale-if-error=0',
    ],
    [`max-age=${'9'.repeat(400)}`, 60_000, 'max-age=60'],
    ['x-max-age=900', 60_000, 'x-max-age=900'],
  ])('turns %j of a file that lives %j ms into %j', (header, leftMs, expected) => {
    expect(cappedCacheControl(header, leftMs)).toBe(expected);
  });
});

describe('queryCacheControl()', () => {
  it.each([
    ['public, max-age=61', 'public, max-age=61, s-maxage=60'],
    ['public, max-age=60', 'public, max-age=60'],
    ['public, max-age=31536000, immutable', 'public, max-age=31536000, immutable, s-maxage=60'],
    ['no-cache', 'no-cache'],
  ])('turns %j into %j', (header, expected) => {
    expect(queryCacheControl(header)).toBe(expected);
  });
});

describe('redirectCacheControl()', () => {
  it.each([
    ['public, max-age=31536000, immutable', 'public, max-age=60'],
    ['public, max-age=12', 'public, max-age=12'],
    ['no-cache', 'no-cache'],
  ])('turns %j into %j', (header, expected) => {
    expect(redirectCacheControl(header)).toBe(expected);
  });
});
