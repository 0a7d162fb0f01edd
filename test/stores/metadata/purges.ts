import { describe, expect, it } from 'vitest';

import type { NewPurge, TakenPurge } from '#server/features/files/purges-table.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of public URLs that the CDN has yet to drop. */
export function purgesConformance(store: StoreInTest): void {
  const { name, write } = store;
  const add = (...purges: ReadonlyArray<Partial<NewPurge> & { readonly id: string }>) =>
    write(async (tx) => {
      for (const one of purges) await tx.purges.add({ url: `/${one.id}`, changeId: null, dueAt: tx.now, ...one });
    });
  const leaseMs = 1_000;
  const takeNew = (limit = 10) => write((tx) => tx.purges.takeNew(limit, tx.now + leaseMs));
  const takeFailed = () => write((tx) => tx.purges.takeFailed(tx.now + leaseMs));
  const putBack = (purge: TakenPurge, change: Partial<TakenPurge>, inMs = 0) =>
    write((tx) => tx.purges.putBack({ ...purge, ...change }, tx.now + inMs));
  const idsOf = (purges: readonly TakenPurge[]) => purges.map(({ id }) => id);

  describe(`${name}: purges`, () => {
    it('are taken from the oldest on, and by others only when their time is over', async () => {
      await add({ id: 'b' }, { id: 'a' }, { id: 'c' });
      expect(await takeNew(2)).toEqual([
        { id: 'a', url: '/a', failedTries: 0, mostTogether: 100 },
        { id: 'b', url: '/b', failedTries: 0, mostTogether: 100 },
      ]);
      expect(idsOf(await takeNew())).toEqual(['c']);
      expect(await takeNew()).toEqual([]);
      store.clock.advance(leaseMs - 1);
      expect(await takeNew()).toEqual([]);
      store.clock.advance(1);
      expect(idsOf(await takeNew())).toEqual(['a', 'b', 'c']);
    });

    it('are there, due or not, until they are removed', async () => {
      const any = () => store.metadata.read.purges.any();
      expect(await any()).toBe(false);
      await add({ id: 'a' });
      await takeNew();
      expect(await any()).toBe(true);
      await write((tx) => tx.purges.remove('a'));
      expect(await any()).toBe(false);
      await write((tx) => tx.purges.remove('a'));
    });

    it('are to be written for a stopped account, from the first file on', async () => {
      const { any, anyAccount } = store.metadata.read.purges;
      expect([await any(), await anyAccount()]).toEqual([false, false]);
      await write((tx) => tx.purges.addAccount(otherId));
      await write((tx) => tx.purges.addAccount(accountId));
      expect([await any(), await anyAccount()]).toEqual([true, true]);
      const next = () => write((tx) => tx.purges.nextAccount());
      const [first] = [accountId, otherId].toSorted();
      expect(await next()).toEqual({ accountId: first, space: 'public', lastKey: null });
      const later = { accountId: first!, space: 'legacy', lastKey: 'ä' } as const;
      await write((tx) => tx.purges.saveAccount(later));
      expect(await next()).toEqual(later);
      await write((tx) => tx.purges.addAccount(first!));
      expect(await next()).toEqual({ accountId: first, space: 'public', lastKey: null });
      for (const id of [accountId, otherId]) await write((tx) => tx.purges.removeAccount(id));
      expect([await any(), await next()]).toEqual([false, undefined]);
    });

    it('are listed by id, due or not', async () => {
      await add({ id: 'b', dueAt: 7 }, { id: 'a', dueAt: 2 ** 40 }, { id: 'c', dueAt: 7, changeId: 'x' });
      const { page } = store.metadata.read.purges;
      const all = [
        { id: 'a', url: '/a', failedTries: 0, dueAt: 2 ** 40 },
        { id: 'b', url: '/b', failedTries: 0, dueAt: 7 },
        { id: 'c', url: '/c', failedTries: 0, dueAt: 7 },
      ];
      expect(await page('', 2)).toEqual(all.slice(0, 2));
      expect(await page('b', 10)).toEqual(all.slice(2));
    });

    it('of failed calls come on their own, with those of the same size of call', async () => {
      await add({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
      const [a, b, c, d] = (await takeNew()) as [TakenPurge, TakenPurge, TakenPurge, TakenPurge];
      await putBack(a, { failedTries: 1, mostTogether: 2 });
      await putBack(b, { failedTries: 3, mostTogether: 1 });
      await putBack(c, { failedTries: 1, mostTogether: 2 });
      await putBack(d, { failedTries: 1, mostTogether: 2 }, 50);
      expect(await takeNew()).toEqual([]);
      expect(await takeFailed()).toEqual([
        { id: 'a', url: '/a', failedTries: 1, mostTogether: 2 },
        { id: 'c', url: '/c', failedTries: 1, mostTogether: 2 },
      ]);
      expect(await takeFailed()).toMatchObject([{ id: 'b', failedTries: 3, mostTogether: 1 }]);
      expect(await takeFailed()).toEqual([]);
      store.clock.advance(50);
      expect(idsOf(await takeFailed())).toEqual(['d']);
    });

    it('are not put back once they are removed', async () => {
      await add({ id: 'a' });
      const [a] = await takeNew();
      await write((tx) => tx.purges.remove('a'));
      await putBack(a!, { failedTries: 1 });
      expect(await takeFailed()).toEqual([]);
    });

    it('of a change that its caller purges are due later, and are removed with it, all or one', async () => {
      const dueAt = store.clock.now() + 30;
      await add(
        { id: 'a', changeId: 'one', dueAt },
        { id: 'b', changeId: 'one', dueAt },
        { id: 'c', url: '/b', dueAt },
      );
      await add({ id: 'd', changeId: 'another', dueAt });
      expect(await takeNew()).toEqual([]);
      await write((tx) => tx.purges.removeOfChange('one', '/b'));
      store.clock.advance(30);
      expect(idsOf(await takeNew())).toEqual(['a', 'c', 'd']);
      await write((tx) => tx.purges.removeOfChange('one'));
      store.clock.advance(leaseMs);
      expect(idsOf(await takeNew())).toEqual(['c', 'd']);
    });

    it('are counted, up to a limit', async () => {
      await add({ id: 'a' }, { id: 'b' }, { id: 'c' });
      expect(await store.metadata.read.purges.count(10)).toBe(3);
      expect(await store.metadata.read.purges.count(2)).toBe(2);
    });

    it('are gone if the change is undone', async () => {
      const undone = write(async (tx) => {
        await tx.purges.add({ id: 'a', url: '/a', changeId: null, dueAt: tx.now });
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await takeNew()).toEqual([]);
    });

    it('are each taken once by many at the same time', async () => {
      const ids = Array.from({ length: 40 }, (_, at) => `p${String(at).padStart(2, '0')}`);
      await add(...ids.map((id) => ({ id })));
      const taken = await Promise.all(Array.from({ length: 8 }, () => takeNew(5)));
      expect(taken.flatMap(idsOf).sort()).toEqual(ids);
    });
  });
}
