import { describe, expect, it } from 'vitest';

import { deleteExpired } from '#server/features/files/deletion/delete-expired.ts';
import type { AccountLeases } from '#server/domain/ports/job-leases.ts';
import { spaces } from '#server/domain/object-id.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store, storeAll } from '../stored.ts';

describe('deleteExpired()', () => {
  it('deletes expired files, to the millisecond, in every space and account, with their usage', async () => {
    const stores = await openTestStores();
    const [a, b] = [await stores.account(), await stores.account()];
    const now = stores.clock.now();
    for (const space of spaces) await store(stores, { accountId: a.id, space, key: 'gone', expiresAt: now });
    await store(stores, { accountId: b.id, key: 'gone', expiresAt: now - 1 });
    const kept = [
      await store(stores, { accountId: a.id, key: 'later', expiresAt: now + 1 }),
      await store(stores, { accountId: a.id, key: 'permanent' }),
    ];
    expect(await deleteExpired(stores, now)).toBe(4);
    for (const object of kept) expect(await stores.metadata.read.objects.find(object)).toEqual(object);
    expect(await stores.metadata.read.accounts.find(a.id)).toMatchObject({ usedObjects: 2, usedBytes: 6 });
    expect(await stores.metadata.read.accounts.find(b.id)).toMatchObject({ usedObjects: 0, usedBytes: 0 });
    expect(await deleteExpired(stores, now)).toBe(0);
    expect(await deleteExpired(stores, now + 1)).toBe(1);
  });

  it('works through many files in batches, even when two runs overlap, and yields to other work', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await storeAll(
      stores,
      Array.from({ length: 450 }, (_, at) => ({ accountId: id, key: `k${at}`, expiresAt: 5 })),
    );
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const counts = await Promise.all([deleteExpired(stores, 5), deleteExpired(stores, 5)]);
    clearInterval(timer);
    expect(counts[0]! + counts[1]!).toBe(450);
    expect(turns).toBeGreaterThan(0);
    expect(await stores.metadata.read.accounts.find(id)).toMatchObject({ usedObjects: 0, usedBytes: 0 });
  });

  it('keeps a file whose expiry was changed after it was read', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    const object = await store(stores, { accountId: id, key: 'a', expiresAt: 5 });
    let isFirst = true;
    const expired = async () => {
      if (!isFirst) return [];
      isFirst = false;
      await stores.metadata.atomically((tx) => tx.objects.put({ ...object, expiresAt: null }));
      return [{ ...object, expiresAt: 5 }];
    };
    const metadata = {
      ...stores.metadata,
      read: { ...stores.metadata.read, objects: { ...stores.metadata.read.objects, expired } },
      atomically: stores.metadata.atomically.bind(stores.metadata),
    };
    expect(await deleteExpired({ metadata }, 5)).toBe(0);
    expect(await stores.metadata.read.objects.find(object)).toMatchObject({ expiresAt: null });
  });

  it('deletes the files of all other accounts when one fails, gives accounts back at rest, and throws the error', async () => {
    const stores = await openTestStores();
    const accounts = await Promise.all(Array.from({ length: 12 }, async () => (await stores.account()).id));
    await storeAll(
      stores,
      accounts.flatMap((accountId) =>
        Array.from({ length: 10 }, (_, at) => ({ accountId, key: `k${at}`, expiresAt: 5 })),
      ),
    );
    const [busy] = accounts as [string];
    const atWork = new Set<string>();
    const endedAtWork: string[] = [];
    const atomically: typeof stores.metadata.atomically = async (work, options) => {
      const account = options!.account!;
      if (account === busy) throw new Error('busy');
      atWork.add(account);
      // Without the lease, which no store knows.
      return stores.metadata.atomically(work, { account }).finally(() => atWork.delete(account));
    };
    const accountLeases: AccountLeases = {
      take: async (job, ids) => ids.map((accountId) => ({ job, accountId, owner: 'a' })),
      end: async (leases) =>
        void endedAtWork.push(...leases.map((one) => one.accountId).filter((id) => atWork.has(id))),
    };
    await expect(
      deleteExpired({ metadata: { read: stores.metadata.read, atomically }, accountLeases }, 5),
    ).rejects.toThrow('busy');
    expect(endedAtWork).toEqual([]);
    const left = await stores.metadata.read.objects.expired(5, 200);
    expect(left.map(({ accountId }) => accountId)).toEqual(Array.from({ length: 10 }, () => busy));
  });

  it('passes over no file of others when an account fails after some of its own are deleted', async () => {
    const stores = await openTestStores();
    const accounts = await Promise.all(Array.from({ length: 6 }, async () => (await stores.account()).id));
    const [busy] = accounts as [string];
    await storeAll(
      stores,
      accounts.flatMap((accountId) =>
        Array.from({ length: accountId === busy ? 40 : 20 }, (_, at) => ({ accountId, key: `k${at}`, expiresAt: 5 })),
      ),
    );
    let sets = 0;
    const atomically: typeof stores.metadata.atomically = async (work, options) => {
      if (options!.account === busy && ++sets > 1) throw new Error('busy');
      return stores.metadata.atomically(work, options);
    };
    await expect(deleteExpired({ metadata: { read: stores.metadata.read, atomically } }, 5)).rejects.toThrow('busy');
    expect(sets).toBeGreaterThan(1);
    const left = await stores.metadata.read.objects.expired(5, 200);
    expect(new Set(left.map(({ accountId }) => accountId))).toEqual(new Set([busy]));
  });

  it('ends after one group of accounts when the store fails for all of them', async () => {
    const stores = await openTestStores();
    const accounts = await Promise.all(Array.from({ length: 12 }, async () => (await stores.account()).id));
    await storeAll(
      stores,
      accounts.map((accountId) => ({ accountId, key: 'a', expiresAt: 5 })),
    );
    let tries = 0;
    const atomically = async () => {
      tries++;
      throw new Error('down');
    };
    await expect(deleteExpired({ metadata: { read: stores.metadata.read, atomically } }, 5)).rejects.toThrow('down');
    expect(tries).toBe(5);
  });

  it('ends after a few steps in which all files are of accounts that other servers have', async () => {
    const stores = await openTestStores();
    const [others, own] = [await stores.account(), await stores.account()];
    await storeAll(stores, [{ accountId: own.id, key: 'k0', expiresAt: 4 }]);
    let reads = 0;
    const expired: typeof stores.metadata.read.objects.expired = async (_now, limit) => {
      if (reads++ >= 100) return [];
      const { id } = reads === 4 ? own : others;
      return Array.from({ length: limit }, (_, at) => ({
        accountId: id,
        space: 'public',
        key: `k${at}`,
        expiresAt: reads,
      }));
    };
    const withoutLease: typeof stores.metadata.atomically = (work, { lease: _, ...options } = {}) =>
      stores.metadata.atomically(work, options);
    const metadata = {
      ...stores.metadata,
      read: { ...stores.metadata.read, objects: { ...stores.metadata.read.objects, expired } },
      atomically: withoutLease,
    };
    const accountLeases: AccountLeases = {
      take: async (job, ids) =>
        ids.filter((id) => id !== others.id).map((accountId) => ({ job, accountId, owner: 'a' })),
      end: async () => {},
    };
    expect(await deleteExpired({ metadata, accountLeases }, 5)).toBe(1);
    // Five after the one with a file of its own. The next pass deletes nothing, and is the last one.
    expect(reads).toBe(4 + 5 + 5);
  });
});
