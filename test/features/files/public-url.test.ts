import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePublicPath, publicPath } from '#server/features/files/public-url.ts';

const accountId = '204815162342108999';

describe('publicPath()', () => {
  it('percent-encodes each segment of any key', () => {
    const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
    const keys = fc.string({ unit: fc.constantFrom(...ascii, 'é', '😀'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(keys, fc.constantFrom(...ascii)), (key) => {
        const segments = key.split('/').map(encodeURIComponent);
        expect(publicPath({ accountId, key })).toBe(`/${accountId}/${segments.join('/')}`);
      }),
      { numRuns: 500 },
    );
  });

  it('returns a path that parsePublicPath() reads as the same file', () => {
    for (const key of ['a/b.png', `-_.!~*'()/a`, 'a b+c%2F/é😀?#', 'a//b/'])
      expect(parsePublicPath(publicPath({ accountId, key }))).toEqual({ accountId, key });
  });
});
