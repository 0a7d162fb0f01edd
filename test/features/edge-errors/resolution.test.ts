import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { resolutionsMs, spansOf, stepsOf } from '#server/features/edge-errors/resolution.ts';

const dayMs = 86_400_000;

describe('spansOf()', () => {
  it('covers each second of a window once, with few units, none longer than requested', () => {
    const windows = fc.tuple(
      fc.integer({ min: -dayMs, max: 5e12 }),
      fc.oneof(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 4e10 })),
      fc.constantFrom(...resolutionsMs, 5 * 60_000, 7 * dayMs),
    );
    fc.assert(
      fc.property(windows, ([start, length, coarsestMs]) => {
        const spans = stepsOf(spansOf({ start, end: start + length }, coarsestMs));
        const edges = spans.map(
          ({ resolution, from, until }) =>
            [from * resolutionsMs[resolution]!, until * resolutionsMs[resolution]!] as const,
        );
        expect(
          edges.every(([from, until], index) => until > from && (index === 0 || from === edges[index - 1]![1])),
        ).toBe(true);
        expect(spans.every(({ resolution }) => resolutionsMs[resolution]! <= coarsestMs)).toBe(true);
        const first = Math.ceil(Math.max(0, start) / 1000) * 1000;
        const last = Math.ceil((start + length) / 1000) * 1000;
        if (first < last) expect([edges[0]![0], edges.at(-1)![1]]).toEqual([first, last]);
        else expect(spans).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('reads a month that begins and ends within a second as at most 256 units', () => {
    const start = Date.parse('2026-04-21T09:30:31Z');
    const spans = spansOf({ start, end: start + 30 * dayMs }, dayMs);
    expect(spans.map(({ resolution }) => resolution)).toEqual([0, 1, 2, 3, 2, 1, 0]);
    expect(spans.reduce((sum, { from, until }) => sum + until - from, 0)).toBeLessThan(256);
  });
});
