import { describe, expect, it } from 'vitest';

import { weightedOrder } from '#server/features/chat/backends/weighted-order.ts';
import { numbersFrom } from '#test/support/numbers-from.ts';

/** Returns how often each order comes. */
function counted(servers: Parameters<typeof weightedOrder>[0], times: number): Record<string, number> {
  const random = numbersFrom(20_260_421);
  const counts: Record<string, number> = {};
  for (let time = 0; time < times; time++) {
    const order = weightedOrder(servers, random).join(' ');
    counts[order] = (counts[order] ?? 0) + 1;
  }
  return counts;
}

describe('weightedOrder()', () => {
  it('draws the first by its weight, and the next by its weight among the others', () => {
    const times = 20_000;
    const counts = counted(
      [1, 2, 5].map((weight) => ({ order: 1, weight })),
      times,
    );
    // The chance of an order is the product of the chances of its steps.
    const chances = {
      '0 1 2': (1 / 8) * (2 / 7),
      '0 2 1': (1 / 8) * (5 / 7),
      '1 0 2': (2 / 8) * (1 / 6),
      '1 2 0': (2 / 8) * (5 / 6),
      '2 0 1': (5 / 8) * (1 / 3),
      '2 1 0': (5 / 8) * (2 / 3),
    };
    expect(Object.keys(counts).toSorted()).toEqual(Object.keys(chances));
    for (const [order, chance] of Object.entries(chances)) {
      const spread = Math.sqrt(times * chance * (1 - chance));
      expect(Math.abs(counts[order]! - times * chance), order).toBeLessThan(4 * spread);
    }
  });

  it('keeps groups by their order, wherever they stand', () => {
    const servers = [
      { order: 3, weight: 1000 },
      { order: 1, weight: 1 },
      { order: 2, weight: 1 },
      { order: 1, weight: 1 },
    ];
    expect(Object.keys(counted(servers, 200)).toSorted()).toEqual(['1 3 2 0', '3 1 2 0']);
  });

  it('names each server once, also at the ends of the random numbers', () => {
    const servers = [1, 1000, 3].map((weight) => ({ order: 1, weight }));
    for (const random of [0, 0.5, 1 - Number.EPSILON / 2, 1])
      expect(weightedOrder(servers, () => random).toSorted()).toEqual([0, 1, 2]);
    expect(weightedOrder([{ order: 9, weight: 1 }], () => 0)).toEqual([0]);
  });
});
