import { describe, expect, it } from 'vitest';

import { unsettledDays, usageOfMonth, type MeteredUsage } from '#server/domain/account/usage-days.ts';

const day = 86_400_000;
const at = (text: string) => Date.parse(`${text}Z`);
const usage = (change: Partial<MeteredUsage>): MeteredUsage => ({
  usedBytes: 100,
  usedObjects: 1,
  trashBytes: 0,
  trashObjects: 0,
  createdAt: 0,
  settledAt: 0,
  days: [],
  ...change,
});

describe('unsettledDays()', () => {
  it('splits at midnight in UTC, to the millisecond', () => {
    const days = [
      ...unsettledDays(
        { usedBytes: 3, usedObjects: 2, settledAt: at('2026-04-19T23:59:59.999') },
        at('2026-04-21T00:00:00.001'),
      ),
    ];
    expect(days).toEqual([
      { day: at('2026-04-19T00:00'), byteMs: 3n, objectMs: 2n },
      { day: at('2026-04-20T00:00'), byteMs: 3n * BigInt(day), objectMs: 2n * BigInt(day) },
      { day: at('2026-04-21T00:00'), byteMs: 3n, objectMs: 2n },
    ]);
  });

  it('begins with the oldest day that is kept, and returns nothing for a clock that stands still or goes back', () => {
    const all = [...unsettledDays({ usedBytes: 1, usedObjects: 0, settledAt: 0 }, at('2026-04-02T00:00'))];
    expect(all).toHaveLength(399);
    expect(all[0]).toEqual({ day: at('2025-02-27T00:00'), byteMs: BigInt(day), objectMs: 0n });
    expect(all.at(-1)).toEqual({ day: at('2026-04-01T00:00'), byteMs: BigInt(day), objectMs: 0n });
    expect([...unsettledDays({ usedBytes: 1, usedObjects: 0, settledAt: 5 }, 5)]).toEqual([]);
    expect([...unsettledDays({ usedBytes: 1, usedObjects: 0, settledAt: 6 }, 5)]).toEqual([]);
  });
});

describe('usageOfMonth()', () => {
  it.each([
    ['2026-04-01T00:00', 0],
    ['2026-04-01T23:59:59.999', 0],
    ['2026-04-02T00:00', 1],
    ['2026-04-21T09:30', 20],
    ['2026-04-30T23:59', 29],
    ['2026-05-01T00:00', 0],
    ['2024-03-01T00:00', 0],
    ['2024-02-29T12:00', 28],
  ])('counts at %s the whole days so far: %i', (now, days) => {
    expect(usageOfMonth(usage({}), at(now))).toEqual({ days, averageBytes: days === 0 ? 0 : 100 });
  });

  it('counts from the first whole day of a new account', () => {
    expect(
      usageOfMonth(
        usage({ createdAt: at('2026-04-10T00:00:00.001'), settledAt: at('2026-04-10T00:00:00.001') }),
        at('2026-04-12T12:00'),
      ),
    ).toEqual({ days: 1, averageBytes: 100 });
    expect(
      usageOfMonth(
        usage({ createdAt: at('2026-04-10T00:00'), settledAt: at('2026-04-10T00:00') }),
        at('2026-04-12T12:00'),
      ),
    ).toEqual({ days: 2, averageBytes: 100 });
    expect(usageOfMonth(usage({ createdAt: at('2026-04-12T11:00') }), at('2026-04-12T12:00'))).toEqual({
      days: 0,
      averageBytes: 0,
    });
  });

  it('weighs bytes by time, and leaves today out', () => {
    const days = [
      { day: at('2026-04-01T00:00'), byteMs: 1000n * BigInt(day / 4), objectMs: 0n },
      { day: at('2026-04-02T00:00'), byteMs: 100n * BigInt(day / 2), objectMs: 0n },
    ];
    // From noon of the second day on 100 bytes are stored: (250 + 100) over two days.
    expect(usageOfMonth(usage({ settledAt: at('2026-04-02T12:00'), days }), at('2026-04-03T18:00'))).toEqual({
      days: 2,
      averageBytes: 175,
    });
  });

  it('is exact for more than 64 bits', () => {
    expect(usageOfMonth(usage({ usedBytes: 2 ** 52 + 1 }), at('2026-04-30T12:00'))).toEqual({
      days: 29,
      averageBytes: 2 ** 52 + 1,
    });
  });
});
