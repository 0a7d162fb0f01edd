import { describe, expect, it } from 'vitest';

import { accountStats } from '#server/domain/account/account-stats.ts';
import { gibibyte } from '#server/domain/limits.ts';
import type { Plan } from '#server/domain/plan.ts';
import { MemoryStatsCache } from '#server/stores/memory/stats-cache.ts';
import { openTestStores } from '#test/support/stores.ts';

async function start(plan: Plan = 'hobby') {
  const stores = await openTestStores();
  const { id } = await stores.account({ plan });
  const deps = { ...stores, cache: new MemoryStatsCache() };
  return {
    stores,
    store: (bytes: number, objects = 1) =>
      stores.metadata.atomically((tx) => tx.accounts.addUsage(id, { bytes, objects })),
    stats: async () => accountStats(deps, (await stores.metadata.read.accounts.find(id))!),
  };
}

describe('accountStats()', () => {
  it.each<[Plan, number]>([
    ['none', 0],
    ['hobby', 5],
    ['standard', 30],
    ['pro', 200],
    ['enterprise', 250],
  ])('returns for the plan %s an included storage of %i GiB', async (plan, included) => {
    expect(await (await start(plan)).stats()).toEqual({
      usedObjects: 0,
      usedBytes: 0,
      includedBytes: included * gibibyte,
      extraBytes: 0,
      storageCents: 0,
      trashBytes: 0,
      trashObjects: 0,
      month: { days: 0, averageBytes: 0 },
      traffic: { requests: 0, egressBytes: 0 },
    });
  });

  it.each([
    [0, 0],
    [1, 20],
    [gibibyte - 1, 20],
    [gibibyte, 20],
    [gibibyte + 1, 40],
    [16 * gibibyte, 320],
  ])('charges %i bytes beyond the plan with %i cents', async (extraBytes, storageCents) => {
    const { store, stats } = await start();
    await store(5 * gibibyte + extraBytes);
    expect(await stats()).toMatchObject({
      usedObjects: 1,
      usedBytes: 5 * gibibyte + extraBytes,
      extraBytes,
      storageCents,
    });
  });

  it('counts files, and not the reserved bytes of running uploads', async () => {
    const { stores, stats } = await start();
    const [account] = await stores.metadata.read.accounts.list();
    await stores.metadata.atomically((tx) =>
      tx.reservations.add({ id: 'r', accountId: account!.id, sizeBytes: 500, blobId: 'b' }, 1000),
    );
    expect(await stats()).toMatchObject({ usedObjects: 0, usedBytes: 0 });
  });

  it('returns the same result for a minute, or until the files change', async () => {
    const { stores, store, stats } = await start();
    const first = await stats();
    stores.clock.advance(59_999);
    expect(await stats()).toBe(first);
    stores.clock.advance(1);
    expect(await stats()).not.toBe(first);
    await store(600);
    expect(await stats()).toMatchObject({ usedBytes: 600 });
    await store(-600, -1);
    expect(await stats()).toMatchObject({ usedBytes: 0, usedObjects: 0 });
  });

  it('returns the mean of the stored bytes over the whole days, settled or not', async () => {
    const { stores, store, stats } = await start();
    // 21 April, 09:30: the first whole day is the 22nd.
    await store(1000);
    stores.clock.advance(14.5 * 3_600_000 + 12 * 3_600_000);
    await store(1000);
    expect(await stats()).toMatchObject({ month: { days: 0, averageBytes: 0 } });
    stores.clock.advance(12 * 3_600_000);
    expect(await stats()).toMatchObject({ month: { days: 1, averageBytes: 1500 } });
    stores.clock.advance(30 * 3_600_000);
    expect(await stats()).toMatchObject({ month: { days: 2, averageBytes: 1750 } });
  });
});
