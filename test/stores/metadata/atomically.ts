import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { overTransactions } from '#server/domain/ports/decorated.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { accountId, content, key, object, part, record, rule, started } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** `atomically()`: one transaction at a time, all of it or nothing. */
export function atomicallyConformance(store: StoreInTest): void {
  const { name, write, account } = store;

  describe(`${name}.atomically()`, () => {
    it('returns the result of the work, once readers see its writes', async () => {
      expect(await write(async (tx) => (await tx.accounts.setPlan(accountId, 'standard'), 'done'))).toBe('done');
      expect((await account()).plan).toBe('standard');
    });

    it('shows the work its own writes, and shows readers none before the end', async () => {
      await write(async (tx) => {
        await tx.accounts.setPlan(accountId, 'standard');
        expect((await tx.accounts.find(accountId))!.plan).toBe('standard');
        expect((await account()).plan).toBe('pro');
      });
    });

    it('lets others replace the tables of a transaction, also of one that names its account', async () => {
      let added = 0;
      const counting = overTransactions(store.metadata, ({ events }) => ({
        events: { ...events, add: (event, at) => (added++, events.add(event, at)) },
      }));
      const data = { percent: 80, usedBytes: 8, quotaBytes: 10 } as const;
      const event = { accountId, type: 'quota.reached', key: null, data } as const;
      for (const options of [{}, { account: accountId }])
        await counting.atomically((tx) => tx.events.add(event, tx.now), options);
      expect(added).toBe(2);
    });

    it('keeps nothing of work that throws, in any table, and rejects with its error', async () => {
      const refusal = new Error('a refusal');
      const failing = write(async (tx) => {
        await tx.accounts.setPlan(accountId, 'standard');
        await tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 });
        await tx.apiKeys.add(key, randomBytes(32));
        await tx.contents.add(content('content-1'));
        await tx.objects.put(object);
        await tx.reservations.add({ id: 'r', accountId, sizeBytes: 10, blobId: 'b' }, 100);
        await tx.reservations.markForDeletion('b');
        await tx.activity.add(record, 5);
        await tx.limitWindows.save({ key: 'w', used: 1, endsAt: 1e15, blockedUntil: 0 });
        await tx.rules.replaceAll(accountId, [rule]);
        await tx.chunkedUploads.open(started, 1, 0);
        await tx.chunkedUploads.putPart(started.id, part(1), 5, 1e9);
        await tx.legacyImports.save({ accountId, key: 'a', sha256: 'f' });
        throw refusal;
      });
      await expect(failing).rejects.toBe(refusal);
      expect(await account()).toMatchObject({
        plan: 'pro',
        usedBytes: 0,
        usedObjects: 0,
        reservedBytes: 0,
        revision: 0,
      });
      expect(await store.metadata.read.apiKeys.listOf(accountId)).toEqual([]);
      expect(await store.metadata.read.objects.find(object)).toBeUndefined();
      expect(await store.metadata.read.contents.find('content-1')).toBeUndefined();
      expect(await store.metadata.read.activity.scan({ accountId, limit: 10 })).toEqual([]);
      expect(await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual([]);
      expect(await write((tx) => tx.reservations.all())).toEqual([]);
      expect(await write((tx) => tx.limitWindows.takeLive(0))).toEqual([]);
      expect(await store.metadata.read.rules.listOf(accountId)).toEqual([]);
      expect(await store.metadata.read.chunkedUploads.find(started.id)).toBeUndefined();
      expect(await store.metadata.read.chunkedUploads.partsOf(started.id, 0, 10)).toEqual([]);
      expect(await store.metadata.read.legacyImports.find({ accountId, key: 'a' })).toBeUndefined();
      expect(store.deletionMarks()).toBe(0);
    });

    it('keeps the work of neighbours that were sent together with one that fails', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, number) =>
          write(async (tx) => {
            await tx.accounts.addUsage(accountId, { bytes: 1, objects: 0 });
            if (number % 3 === 0) throw new Error('a refusal');
            // The account does not exist, so the row is rejected.
            if (number % 3 === 1)
              await tx.apiKeys.add({ ...key, id: `k${number}`, accountId: 'nobody' }, randomBytes(32));
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
      expect((await account()).usedBytes).toBe(6);
    });

    it('runs each piece of work alone', async () => {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          write(async (tx) => {
            const { usedBytes } = (await tx.accounts.find(accountId))!;
            await Promise.resolve();
            await tx.accounts.addUsage(accountId, {
              bytes: usedBytes + 1 - usedBytes,
              objects: usedBytes === 49 ? 1 : 0,
            });
          }),
        ),
      );
      expect(await account()).toMatchObject({ usedBytes: 50, usedObjects: 1, revision: 50 });
    });

    it('uses one time for the whole transaction', async () => {
      const [before, inside, after] = await write(async (tx) => {
        const first = tx.now;
        store.clock.advance(1000);
        return [store.clock.now() - 1000, first, tx.now];
      });
      expect([inside, after]).toEqual([before, before]);
    });

    it('refuses nested calls, and work that waits for anything but rows', async () => {
      await expect(
        write(async (tx) => (await tx.accounts.setPlan(accountId, 'none'), store.metadata.atomically(async () => {}))),
      ).rejects.toThrow('atomically() inside atomically()');
      await expect(write(async (tx) => (await tx.accounts.setPlan(accountId, 'none'), sleep(20)))).rejects.toThrow();
      expect((await account()).plan).toBe('pro');
    });

    it('refuses writes of work whose transaction has ended', async () => {
      let late: Transaction | undefined;
      await write(async (tx) => void (late = tx));
      await expect(late!.accounts.setPlan(accountId, 'none')).rejects.toThrow('has ended');
    });
  });
}
