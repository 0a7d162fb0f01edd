import { describe, expect, it } from 'vitest';

import { isCacheControl, servedCacheControl } from '#server/domain/objects/cache-control.ts';

describe('isCacheControl()', () => {
  it.each(['immutable', 'no-cache', 'max-age=60', 'max-age=3600', 'max-age=31536000'])('takes %s', (value) => {
    expect(isCacheControl(value)).toBe(true);
  });

  it.each(['', 'max-age=59', 'max-age=31536001', 'max-age=0', 'max-age=060', 'max-age=', 'max-age=1e3', 'max-age=60.5', 'max-age=60 ', 'max-age=60\n', 'Max-Age=60', 'no-store', 'private', 'immutable, max-age=60', 'max-age=60\r\nX-Evil: 1', `max-age=${'9'.repeat(400)}`])(
    'does not take %j',
    (value) => {
      expect(isCacheControl(value)).toBe(false);
    },
  );
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
