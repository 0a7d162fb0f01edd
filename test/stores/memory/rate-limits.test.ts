import { describe, expect, it } from 'vitest';

import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { openTestStores } from '#test/support/stores.ts';

const bucket: Bucket = { key: 'list:1', name: 'list', limit: 3, windowMs: 10_000, cost: 1 };
const blocking: Bucket = { ...bucket, key: 'stats:1', name: 'stats', blockMs: 30_000 };
const hourly: Bucket = { ...bucket, key: 's3:1', name: 's3', windowMs: 3_600_000 };

const saved = (stores: Awaited<ReturnType<typeof openTestStores>>) =>
  stores.connections.reader.prepare('SELECT * FROM limit_windows').all();

describe('MemoryRateLimits.take()', () => {
  it('lets exactly so many through, however many come at once', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    for (const one of [bucket, blocking, { ...hourly, limit: 10 }]) {
      const decisions = await Promise.all(Array.from({ length: 50 }, () => limits.take([one])));
      expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(one.limit);
    }
  });

  it('says what is left, and when the window ends', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    expect(await limits.take([bucket])).toEqual({
      isAllowed: true,
      states: [{ bucket, remaining: 2, resetMs: 10_000 }],
      retryAfterMs: 0,
    });
    stores.clock.advance(4000);
    expect(await limits.take([bucket])).toMatchObject({ isAllowed: true, states: [{ remaining: 1, resetMs: 6000 }] });
    await limits.take([bucket]);
    expect(await limits.take([bucket])).toEqual({
      isAllowed: false,
      states: [{ bucket, remaining: 0, resetMs: 6000 }],
      retryAfterMs: 6000,
    });
  });

  it('begins a new window with the first request after the end of the last, to the millisecond', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await limits.take([bucket]);
    stores.clock.advance(9999);
    expect((await limits.take([bucket])).isAllowed).toBe(false);
    stores.clock.advance(1);
    expect(await limits.take([bucket])).toMatchObject({ isAllowed: true, states: [{ remaining: 2, resetMs: 10_000 }] });
  });

  it('blocks for its time from the first request too many, and further ones do not lengthen that', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 3; count++) await limits.take([blocking]);
    stores.clock.advance(9000);
    expect(await limits.take([blocking])).toMatchObject({
      isAllowed: false,
      retryAfterMs: 30_000,
      states: [{ remaining: 0, resetMs: 30_000 }],
    });
    stores.clock.advance(29_999);
    expect(await limits.take([blocking])).toMatchObject({ isAllowed: false, retryAfterMs: 1 });
    expect(await limits.blockedMs(blocking.key)).toBe(1);
    stores.clock.advance(1);
    expect(await limits.blockedMs(blocking.key)).toBe(0);
    expect(await limits.take([blocking])).toMatchObject({ isAllowed: true, states: [{ remaining: 2 }] });
  });

  it('takes from all buckets, or from none', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    const wide = { ...bucket, key: 'account:1', name: 'account', limit: 100 };
    for (let count = 0; count < 3; count++) await limits.take([bucket, wide]);
    for (let count = 0; count < 20; count++) expect((await limits.take([bucket, wide])).isAllowed).toBe(false);
    expect(await limits.take([wide])).toMatchObject({ states: [{ remaining: 96 }] });
  });

  it('waits for the slowest of several that are exceeded, and not for one that is not', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    const wide = { ...hourly, limit: 100 };
    for (let count = 0; count < 3; count++) await limits.take([bucket, blocking, wide]);
    expect((await limits.take([bucket, blocking, wide])).retryAfterMs).toBe(30_000);
  });

  it('counts keys on their own', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await limits.take([bucket]);
    expect((await limits.take([{ ...bucket, key: 'list:2' }])).isAllowed).toBe(true);
  });

  it('takes units of several, all or none of them', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    const files = (cost: number) => ({ ...bucket, limit: 10, cost });
    expect((await limits.take([files(7)])).isAllowed).toBe(true);
    expect(await limits.take([files(4)])).toMatchObject({ isAllowed: false, states: [{ remaining: 3 }] });
    expect(await limits.take([files(3)])).toMatchObject({ isAllowed: true, states: [{ remaining: 0 }] });
  });

  it('goes on counting right when many addresses have come and gone', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await limits.take([blocking]);
    for (let number = 0; number < 10_500; number++) {
      if (number === 5000) stores.clock.advance(10_000);
      await limits.take([{ ...bucket, key: `address:${number}` }]);
    }
    expect((await limits.take([blocking])).isAllowed).toBe(false);
    expect(await limits.take([{ ...bucket, key: 'address:10499' }])).toMatchObject({ states: [{ remaining: 1 }] });
  });
});

describe('MemoryRateLimits with too many counters', () => {
  const from = (address: number): Bucket => ({
    ...blocking,
    key: `visit:${address}`,
    overflowKey: `visit:shared:${address % 2}`,
  });

  async function full() {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore({ ...stores, maxWindows: 100 });
    for (let count = 0; count < 4; count++) await limits.take([from(0)]);
    await limits.take([from(1)]);
    for (let address = 2; address < 100; address++) await limits.take([from(address)]);
    return { stores, limits };
  }

  it('lifts no limit: those that are counted already go on being counted on their own', async () => {
    const { limits } = await full();
    for (let address = 100; address < 1000; address++) await limits.take([from(address)]);
    expect((await limits.take([from(0)])).isAllowed).toBe(false);
    expect(await limits.blockedMs(from(0).key)).toBe(30_000);
    expect(await limits.take([from(1)])).toMatchObject({ isAllowed: true, states: [{ remaining: 1 }] });
  });

  it('counts newcomers together, and lets none of them through beyond the limit', async () => {
    const { limits } = await full();
    const allowed = [];
    for (let address = 100; address < 1000; address++)
      if ((await limits.take([from(address)])).isAllowed) allowed.push(address);
    expect(allowed).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it('blocks no address for what others did', async () => {
    const { limits } = await full();
    for (let address = 100; address < 200; address++) await limits.take([from(address)]);
    expect(await limits.blockedMs(from(100).key)).toBe(0);
  });

  it('gives those their own counter that bring no other, such as accounts', async () => {
    const { limits } = await full();
    for (let number = 0; number < 50; number++)
      expect(await limits.take([{ ...bucket, key: `account:${number}` }])).toMatchObject({
        isAllowed: true,
        states: [{ remaining: 2 }],
      });
  });

  it('gives newcomers counters of their own again when others are over', async () => {
    const { stores, limits } = await full();
    for (let address = 100; address < 110; address++) await limits.take([from(address)]);
    stores.clock.advance(40_000);
    for (let address = 100; address < 110; address++)
      expect(await limits.take([from(address)])).toMatchObject({ isAllowed: true, states: [{ remaining: 2 }] });
  });

  it('remembers blocks of shared counters as such', async () => {
    const { stores, limits } = await full();
    for (let address = 100; address < 110; address++) await limits.take([from(address)]);
    expect(saved(stores).map(({ key }) => key)).toEqual(['visit:0', 'visit:shared:0', 'visit:shared:1']);
  });
});

describe('MemoryRateLimits.restore()', () => {
  it('lifts neither blocks nor windows over a minute', async () => {
    const stores = await openTestStores();
    const before = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await before.take([blocking]);
    for (let count = 0; count < 2; count++) await before.take([hourly]);
    stores.clock.advance(1000);

    const after = await MemoryRateLimits.restore(stores);
    expect(await after.blockedMs(blocking.key)).toBe(29_000);
    expect((await after.take([blocking])).isAllowed).toBe(false);
    expect(await after.take([hourly])).toMatchObject({
      isAllowed: true,
      states: [{ remaining: 0, resetMs: 3_599_000 }],
    });
    expect((await after.take([hourly])).isAllowed).toBe(false);
  });

  it('keeps the highest count of requests that came at once', async () => {
    const stores = await openTestStores();
    const before = await MemoryRateLimits.restore(stores);
    await Promise.all(Array.from({ length: 3 }, () => before.take([hourly])));
    expect((await (await MemoryRateLimits.restore(stores)).take([hourly])).isAllowed).toBe(false);
  });

  it('writes nothing down for short windows: they cost no transaction', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore({ ...stores, metadata: stores.metadata });
    for (const windowMs of [1000, 60_000])
      for (let count = 0; count < 5; count++) await limits.take([{ ...bucket, key: `w${windowMs}`, windowMs }]);
    expect(saved(stores)).toEqual([]);
  });

  it('clears away what is over', async () => {
    const stores = await openTestStores();
    const before = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await before.take([blocking, hourly]);
    stores.clock.advance(3_600_000);
    await MemoryRateLimits.restore(stores);
    expect(saved(stores)).toEqual([]);
  });
});

describe('MemoryRateLimits.blockedMs()', () => {
  it('is 0 for a counter that is unknown, or used up without a block', async () => {
    const stores = await openTestStores();
    const limits = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await limits.take([bucket]);
    expect([await limits.blockedMs(bucket.key), await limits.blockedMs('nobody')]).toEqual([0, 0]);
  });
});
