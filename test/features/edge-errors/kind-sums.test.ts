import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { KindSums } from '#server/features/edge-errors/kind-sums.ts';

function entriesOf(sums: KindSums): Map<number, number> {
  const entries = new Map<number, number>();
  sums.forEach((kind, count) => entries.set(kind, count));
  return entries;
}

describe('KindSums', () => {
  it('sums like a map, for any kinds', () => {
    const kind = fc.oneof(
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 2 ** 33 }),
      fc.maxSafeNat(),
      fc.nat(2000).map((n) => n * 2 ** 32),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, fc.integer({ min: 1, max: 2 ** 40 })), { maxLength: 3000 }), (given) => {
        const [sums, expected] = [new KindSums(), new Map<number, number>()];
        for (const [one, count] of given) {
          sums.add(one, count);
          expected.set(one, (expected.get(one) ?? 0) + count);
        }
        expect(entriesOf(sums)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('grows with the number of kinds', () => {
    const sums = new KindSums();
    for (const times of [1, 2]) for (let kind = 0; kind < 200_000; kind++) sums.add(kind * 2004, times);
    const entries = entriesOf(sums);
    expect(entries.size).toBe(200_000);
    expect(new Set(entries.values())).toEqual(new Set([3]));
  });
});
