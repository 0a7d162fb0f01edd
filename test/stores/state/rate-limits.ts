import { beforeEach, describe, expect, it } from 'vitest';

import type { Bucket, RateLimits } from '#server/domain/ports/rate-limits.ts';

export interface OpenedRateLimits {
  readonly limits: RateLimits;
  /** Returns counters over the same storage, as another process opens them at `now` after this one has died. */
  restart(now: number): Promise<RateLimits>;
}

/**
 * Tests that counters keep the port's contract. `open` is called before each test and returns empty counters.
 *
 * @param addresses more than the counters after which the store sweeps
 */
export function rateLimitsConformance(
  name: string,
  open: (now: number) => Promise<OpenedRateLimits>,
  addresses = 10_500,
): void {
  const start = Date.UTC(2026, 3, 21, 9, 30);
  const bucket: Bucket = { key: 'list:1', name: 'list', limit: 3, windowMs: 10_000, cost: 1 };
  const blocking: Bucket = { ...bucket, key: 'stats:1', name: 'stats', blockMs: 30_000 };
  const hourly: Bucket = { ...bucket, key: 's3:1', name: 's3', windowMs: 3_600_000 };

  let opened: OpenedRateLimits;
  let limits: RateLimits;
  let now: number;
  beforeEach(async () => {
    opened = await open(start);
    ({ limits } = opened);
    now = start;
  });
  const take = (...buckets: readonly Bucket[]) => limits.take(buckets, now);

  describe(`${name}.take()`, () => {
    it('allows exactly the limit of parallel requests', async () => {
      for (const one of [bucket, blocking, { ...hourly, limit: 10 }]) {
        const decisions = await Promise.all(Array.from({ length: 50 }, () => take(one)));
        expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(one.limit);
      }
    });

    it('returns the remaining requests and the end of the window', async () => {
      expect(await take(bucket)).toEqual({
        isAllowed: true,
        states: [{ bucket, remaining: 2, resetMs: 10_000 }],
        retryAfterMs: 0,
      });
      now += 4000;
      expect(await take(bucket)).toMatchObject({ isAllowed: true, states: [{ remaining: 1, resetMs: 6000 }] });
      await take(bucket);
      expect(await take(bucket)).toEqual({
        isAllowed: false,
        states: [{ bucket, remaining: 0, resetMs: 6000 }],
        retryAfterMs: 6000,
      });
    });

    it('starts a new window with the first request after the end of the last one, to the millisecond', async () => {
      for (let count = 0; count < 4; count++) await take(bucket);
      now += 9999;
      expect((await take(bucket)).isAllowed).toBe(false);
      now += 1;
      expect(await take(bucket)).toMatchObject({ isAllowed: true, states: [{ remaining: 2, resetMs: 10_000 }] });
    });

    it('blocks for its time from the first request over the limit, and more requests do not extend it', async () => {
      for (let count = 0; count < 3; count++) await take(blocking);
      now += 9000;
      expect(await take(blocking)).toMatchObject({
        isAllowed: false,
        retryAfterMs: 30_000,
        states: [{ remaining: 0, resetMs: 30_000 }],
      });
      now += 29_999;
      expect(await take(blocking)).toMatchObject({ isAllowed: false, retryAfterMs: 1 });
      expect(await limits.blockedMs(blocking.key, now)).toBe(1);
      now += 1;
      expect(await limits.blockedMs(blocking.key, now)).toBe(0);
      expect(await take(blocking)).toMatchObject({ isAllowed: true, states: [{ remaining: 2 }] });
    });

    it('takes from all buckets, or from none', async () => {
      const wide = { ...bucket, key: 'account:1', name: 'account', limit: 100 };
      for (let count = 0; count < 3; count++) await take(bucket, wide);
      for (let count = 0; count < 20; count++) expect((await take(bucket, wide)).isAllowed).toBe(false);
      expect(await take(wide)).toMatchObject({ states: [{ remaining: 96 }] });
    });

    it('returns the longest wait of the exceeded buckets', async () => {
      const wide = { ...hourly, limit: 100 };
      for (let count = 0; count < 3; count++) await take(bucket, blocking, wide);
      expect((await take(bucket, blocking, wide)).retryAfterMs).toBe(30_000);
    });

    it('counts each key separately', async () => {
      for (let count = 0; count < 4; count++) await take(bucket);
      expect((await take({ ...bucket, key: 'list:2' })).isAllowed).toBe(true);
    });

    it('takes all units of a request or none', async () => {
      const files = (cost: number) => ({ ...bucket, limit: 10, cost });
      expect((await take(files(7))).isAllowed).toBe(true);
      expect(await take(files(4))).toMatchObject({ isAllowed: false, states: [{ remaining: 3 }] });
      expect(await take(files(3))).toMatchObject({ isAllowed: true, states: [{ remaining: 0 }] });
    });

    it('keeps correct counts after many addresses have come and gone', async () => {
      for (let count = 0; count < 4; count++) await take(blocking);
      for (let number = 0; number < addresses; number++) {
        if (number === addresses >> 1) now += 10_000;
        await take({ ...bucket, key: `address:${number}` });
      }
      expect((await take(blocking)).isAllowed).toBe(false);
      expect(await take({ ...bucket, key: `address:${addresses - 1}` })).toMatchObject({ states: [{ remaining: 1 }] });
    });

    it('keeps counting after a restart if a window is over a minute or has a block', async () => {
      for (let count = 0; count < 4; count++) await take(blocking);
      for (let count = 0; count < 2; count++) await take(hourly);
      now += 1000;
      const after = await opened.restart(now);
      expect(await after.blockedMs(blocking.key, now)).toBe(29_000);
      expect((await after.take([blocking], now)).isAllowed).toBe(false);
      expect(await after.take([hourly], now)).toMatchObject({
        isAllowed: true,
        states: [{ remaining: 0, resetMs: 3_599_000 }],
      });
      expect((await after.take([hourly], now)).isAllowed).toBe(false);
    });

    it('has counted all parallel requests after a restart', async () => {
      await Promise.all(Array.from({ length: 3 }, () => take(hourly)));
      expect((await (await opened.restart(now)).take([hourly], now)).isAllowed).toBe(false);
    });
  });

  describe(`${name}.take() of a bucket that lets requests wait`, () => {
    const patient: Bucket = { ...bucket, key: 's3:1', name: 's3', maxWaiting: 3 };
    /**
     * Returns the begin of the booked window, 0 for a request that may go on at once, and undefined for one that is
     * refused.
     */
    const placesOf = async (count: number, one = patient) => {
      const decisions = await Promise.all(Array.from({ length: count }, () => take(one)));
      return decisions.map(({ isAllowed, booked }) => (isAllowed ? (booked?.beginsAt ?? 0) : undefined));
    };

    it('books places in the next window in the order of the calls, and refuses what has none', async () => {
      const at = start + 10_000;
      expect(await placesOf(8)).toEqual([0, 0, 0, at, at, at, undefined, undefined]);
      expect(await take(patient)).toMatchObject({ isAllowed: false, retryAfterMs: 10_000 });
      now += 9_999;
      expect(await placesOf(1)).toEqual([undefined]);
    });

    it('begins the next window where the last one ended, with the booked places taken', async () => {
      await placesOf(5);
      now += 12_000;
      const at = start + 20_000;
      expect(await placesOf(5)).toEqual([0, at, at, at, undefined]);
      now += 8_000;
      expect(await placesOf(2)).toEqual([at + 10_000, at + 10_000]);
    });

    it('begins anew when nobody was there in a booked window', async () => {
      await placesOf(5);
      now += 25_000;
      expect(await placesOf(4)).toEqual([0, 0, 0, now + 10_000]);
    });

    it('frees a place that is given back, unless its window has begun', async () => {
      const at = start + 10_000;
      await placesOf(6);
      await limits.giveBack({ key: patient.key, beginsAt: at }, now);
      expect(await placesOf(2)).toEqual([at, undefined]);
      now = at;
      await limits.giveBack({ key: patient.key, beginsAt: at }, now);
      expect(await placesOf(1)).toEqual([at + 10_000]);
      await limits.giveBack({ key: 'nobody', beginsAt: at }, now);
    });

    it('books no more than the limit, and none for a request with a further bucket', async () => {
      expect(await placesOf(7, { ...patient, maxWaiting: 100 })).toEqual([
        ...[0, 0, 0],
        ...[now + 10_000, now + 10_000, now + 10_000],
        undefined,
      ]);
      const wide = { ...bucket, key: 'account:1', name: 'account', limit: 100 };
      const both = { ...patient, key: 's3:2' };
      for (let count = 0; count < 3; count++) expect((await take(both, wide)).isAllowed).toBe(true);
      expect((await take(both, wide)).isAllowed).toBe(false);
    });

    it('lets no more than the limit go on in any window, whoever waits, leaves and comes', async () => {
      const begun = new Map<number, number>();
      let windowFrom = start;
      for (let step = 0; step < 60; step++) {
        now += 700;
        const places = await placesOf(step % 4);
        for (const place of places) {
          if (place === undefined) continue;
          if (place > 0 && step % 7 === 0) await limits.giveBack({ key: patient.key, beginsAt: place }, now);
          else {
            const { states } = await limits.take([{ ...patient, cost: 0 }], now);
            windowFrom = place || now + states[0]!.resetMs - 10_000;
            begun.set(windowFrom, (begun.get(windowFrom) ?? 0) + 1);
          }
        }
      }
      expect(begun.size).toBeGreaterThan(3);
      expect(Math.max(...begun.values())).toBe(3);
    });
  });

  describe(`${name}.blockedMs()`, () => {
    it('is 0 for an unknown counter, and for a used up one without a block', async () => {
      for (let count = 0; count < 4; count++) await take(bucket);
      expect([await limits.blockedMs(bucket.key, now), await limits.blockedMs('nobody', now)]).toEqual([0, 0]);
    });
  });
}
