import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutText } from '#server/domain/cut-text.ts';

describe('cutText()', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['aé', 2, 'a'],
    ['aé', 3, 'aé'],
    ['漢字', 5, '漢'],
    ['a😀b', 4, 'a'],
    ['a😀b', 5, 'a😀'],
    ['😀', 3, ''],
    ['abc', 0, ''],
  ])('cuts %s to %i bytes: %s', (text, maxBytes, cut) => {
    expect(cutText(text, maxBytes)).toBe(cut);
  });

  it('returns the longest beginning of whole characters that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(60), (text, maxBytes) => {
        const cut = cutText(text, maxBytes);
        const next = [...text.slice(cut.length)][0] ?? '';
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
        expect(next === '' || Buffer.byteLength(cut + next) > maxBytes).toBe(true);
      }),
    );
  });
});
