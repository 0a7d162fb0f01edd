import { describe, expect, it } from 'vitest';

import type { MeteredUsage } from '#server/domain/account/usage-days.ts';
import { meansOfDays, withTraffic } from '#server/domain/account/usage-history.ts';

const day = 86_400_000;
const at = (text: string) => Date.parse(`${text}Z`);
const april = { from: at('2026-04-01T00:00'), to: at('2026-04-30T00:00') };

function usage(change: Partial<MeteredUsage>): MeteredUsage {
  return {
    usedBytes: 100,
    usedObjects: 2,
    trashBytes: 0,
    trashObjects: 0,
    createdAt: 0,
    settledAt: at('2026-04-20T12:00'),
    days: [],
    ...change,
  };
}

describe('meansOfDays()', () => {
  it('adds what was stored since the last change, and counts today up to now', () => {
    const days = [{ day: at('2026-04-20T00:00'), byteMs: 300n * BigInt(day / 2), objectMs: 4n * BigInt(day / 2) }];
    expect(meansOfDays(usage({ days }), april, at('2026-04-21T06:00'))).toEqual([
      { day: at('2026-04-20T00:00'), bytes: 200, objects: 3 },
      { day: at('2026-04-21T00:00'), bytes: 100, objects: 2 },
    ]);
  });

  it('takes the mean of the first day over the time since the account was created', () => {
    const born = at('2026-04-20T18:00');
    expect(meansOfDays(usage({ createdAt: born, settledAt: born }), april, at('2026-04-20T21:00'))).toEqual([
      { day: at('2026-04-20T00:00'), bytes: 100, objects: 2 },
    ]);
    expect(meansOfDays(usage({ createdAt: born, settledAt: born }), april, born)).toEqual([]);
  });

  it('leaves out days outside of the range, and days that were not measured', () => {
    const days = [{ day: at('2026-04-02T00:00'), byteMs: BigInt(day), objectMs: 0n }];
    const found = meansOfDays(
      usage({ days }),
      { from: april.from, to: at('2026-04-19T00:00') },
      at('2026-04-21T00:00'),
    );
    expect(found).toEqual([{ day: at('2026-04-02T00:00'), bytes: 1, objects: 0 }]);
  });
});

describe('withTraffic()', () => {
  it('has 0 for days without requests', () => {
    const [busy, quiet] = ['2026-04-19T00:00', '2026-04-20T00:00'].map(at);
    const days = [busy!, quiet!].map((midnight) => ({ day: midnight, bytes: 1, objects: 1 }));
    const traffic = [{ day: busy!, requests: 3, egressBytes: 40 }];
    expect(withTraffic(days, traffic).map((each) => [each.requests, each.egressBytes])).toEqual([
      [3, 40],
      [0, 0],
    ]);
  });
});
