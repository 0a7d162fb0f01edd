import { describe, expect, it } from 'vitest';

import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { openSqliteStores } from '#test/support/stores.ts';
import { rateLimitsConformance } from '../state/rate-limits.ts';

const bucket: Bucket = { key: 'list:1', name: 'list', limit: 3, windowMs: 10_000, cost: 1 };
const blocking: Bucket = { ...bucket, key: 'stats:1', name: 'stats', blockMs: 30_000 };
const hourly: Bucket = { ...bucket, key: 's3:1', name: 's3', windowMs: 3_600_000 };

const saved = (stores: Awaited<ReturnType<typeof openSqliteStores>>) =>
  stores.connections.reader.prepare('SELECT * FROM limit_windows').all();

rateLimitsConformance('MemoryRateLimits', async (now) => {
  const stores = await openSqliteStores();
  stores.clock.advance(now - stores.clock.now());
  return {
    limits: await MemoryRateLimits.restore(stores),
    restart(at) {
      stores.clock.advance(at - stores.clock.now());
      return MemoryRateLimits.restore(stores);
    },
  };
});

describe('MemoryRateLimits with too many counters', () => {
  const from = (address: number): Bucket => ({
    ...blocking,
    key: `visit:${address}`,
    overflowKey: `visit:shared:${address % 2}`,
  });

  async function full() {
    const stores = await openSqliteStores();
    const limits = await MemoryRateLimits.restore({ ...stores, maxWindows: 100 });
    for (let count = 0; count < 4; count++) await limits.take([from(0)], stores.clock.now());
    await limits.take([from(1)], stores.clock.now());
    for (let address = 2; address < 100; address++) await limits.take([from(address)], stores.clock.now());
    return { stores, limits };
  }

  it('keeps all limits: addresses with a counter keep their own', async () => {
    const { stores, limits } = await full();
    for (let address = 100; address < 1000; address++) await limits.take([from(address)], stores.clock.now());
    expect((await limits.take([from(0)], stores.clock.now())).isAllowed).toBe(false);
    expect(await limits.blockedMs(from(0).key, stores.clock.now())).toBe(30_000);
    expect(await limits.take([from(1)], stores.clock.now())).toMatchObject({
      isAllowed: true,
      states: [{ remaining: 1 }],
    });
  });

  it('counts new addresses together, and lets none of them exceed the limit', async () => {
    const { stores, limits } = await full();
    const allowed = [];
    for (let address = 100; address < 1000; address++)
      if ((await limits.take([from(address)], stores.clock.now())).isAllowed) allowed.push(address);
    expect(allowed).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it('does not block an address for the requests of others', async () => {
    const { stores, limits } = await full();
    for (let address = 100; address < 200; address++) await limits.take([from(address)], stores.clock.now());
    expect(await limits.blockedMs(from(100).key, stores.clock.now())).toBe(0);
  });

  it('gives a counter of their own to keys without a shared counter, such as accounts', async () => {
    const { stores, limits } = await full();
    for (let number = 0; number < 50; number++)
      expect(await limits.take([{ ...bucket, key: `account:${number}` }], stores.clock.now())).toMatchObject({
        isAllowed: true,
        states: [{ remaining: 2 }],
      });
  });

  it('gives new addresses their own counters again when other counters have ended', async () => {
    const { stores, limits } = await full();
    for (let address = 100; address < 110; address++) await limits.take([from(address)], stores.clock.now());
    stores.clock.advance(40_000);
    for (let address = 100; address < 110; address++)
      expect(await limits.take([from(address)], stores.clock.now())).toMatchObject({
        isAllowed: true,
        states: [{ remaining: 2 }],
      });
  });

  it('stores blocks of shared counters under the shared key', async () => {
    const { stores, limits } = await full();
    for (let address = 100; address < 110; address++) await limits.take([from(address)], stores.clock.now());
    expect(saved(stores).map(({ key }) => key)).toEqual(['visit:0', 'visit:shared:0', 'visit:shared:1']);
  });
});

describe('MemoryRateLimits.restore()', () => {
  it('stores nothing for short windows, so that they cost no transaction', async () => {
    const stores = await openSqliteStores();
    const limits = await MemoryRateLimits.restore({ ...stores, metadata: stores.metadata });
    for (const windowMs of [1000, 60_000])
      for (let count = 0; count < 5; count++)
        await limits.take([{ ...bucket, key: `w${windowMs}`, windowMs }], stores.clock.now());
    expect(saved(stores)).toEqual([]);
  });

  it('removes ended windows', async () => {
    const stores = await openSqliteStores();
    const before = await MemoryRateLimits.restore(stores);
    for (let count = 0; count < 4; count++) await before.take([blocking, hourly], stores.clock.now());
    stores.clock.advance(3_600_000);
    await MemoryRateLimits.restore(stores);
    expect(saved(stores)).toEqual([]);
  });
});
