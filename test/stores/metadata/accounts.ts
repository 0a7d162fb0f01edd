import { describe, expect, it } from 'vitest';

import { together } from '#server/domain/in-sets.ts';
import { plans } from '#server/domain/plan.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of accounts, with their usage and reserved bytes. */
export function accountsConformance(store: StoreInTest): void {
  const { name, write, account } = store;

  describe(`${name}: accounts`, () => {
    it('start with no usage, and are listed oldest first', async () => {
      const nothing = {
        quotaBytes: null,
        aiTokensPerDay: null,
        aiLimits: null,
        usedBytes: 0,
        usedObjects: 0,
        reservedBytes: 0,
        inFlightBytes: 0,
        suspendedAt: null,
        deletedAt: null,
        keepDeletedDays: null,
        revision: 0,
      };
      const [first, second] = [
        { id: accountId, name: 'first', plan: 'pro', createdAt: 2000, ...nothing },
        { id: otherId, name: 'second', plan: 'hobby', createdAt: 1000, ...nothing },
      ];
      expect(await account()).toEqual(first);
      expect(await store.metadata.read.accounts.list()).toEqual([second, first]);
      expect(await write((tx) => tx.accounts.list())).toEqual([second, first]);
      expect(await store.metadata.read.accounts.find('nobody')).toBeUndefined();
    });

    it('have sums over all of them', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 3_000_000_000_000_000, objects: 2 }));
      await write((tx) => tx.accounts.addUsage(otherId, { bytes: 5, objects: 1 }));
      await write((tx) => tx.accounts.reserve(otherId, 7, 1000));
      const sums = { accounts: 2, files: 3, bytes: 3_000_000_000_000_005, reservedBytes: 7 };
      expect(await store.metadata.read.accounts.sums()).toEqual(sums);
    });

    it('refuse an id twice', async () => {
      await expect(
        write((tx) => tx.accounts.add({ id: accountId, name: 'x', plan: 'pro', createdAt: 1 })),
      ).rejects.toThrow();
      expect((await account()).name).toBe('first');
    });

    it('accept every plan, and report whether the account exists', async () => {
      for (const plan of plans) {
        expect(await write((tx) => tx.accounts.setPlan(accountId, plan))).toBe(true);
        expect((await account()).plan).toBe(plan);
      }
      expect(await write((tx) => tx.accounts.setPlan('nobody', 'pro'))).toBe(false);
      await expect(write((tx) => tx.accounts.setPlan(accountId, 'gold' as never))).rejects.toThrow();
    });

    it('accept days for what the console deletes, from 0 to 365', async () => {
      for (const days of [0, 365, 7]) {
        await write((tx) => tx.accounts.setKeepDeletedDays(accountId, days));
        expect((await account()).keepDeletedDays).toBe(days);
      }
      await expect(write((tx) => tx.accounts.setKeepDeletedDays(accountId, 366))).rejects.toThrow();
    });

    it('accept their own quota, from 0 to a petabyte, and its removal', async () => {
      for (const quotaBytes of [0, 2 ** 50, null]) {
        expect(await write((tx) => tx.accounts.setQuota(accountId, quotaBytes))).toBe(true);
        expect((await account()).quotaBytes).toBe(quotaBytes);
      }
      expect(await write((tx) => tx.accounts.setQuota('nobody', 1))).toBe(false);
    });

    it('accept limits of their own in the AI gateway, and their removal', async () => {
      const limits = { contextTokens: 200_000, outputTokens: null, tools: null, messages: null } as const;
      for (const aiLimits of [{ ...limits, concurrent: 8, pacingSeconds: 0, costPerDay: 0.25 }, null]) {
        expect(await write((tx) => tx.accounts.setAiLimits(accountId, aiLimits))).toBe(true);
        expect((await account()).aiLimits).toEqual(aiLimits);
      }
      expect(await write((tx) => tx.accounts.setAiLimits('nobody', null))).toBe(false);
    });

    it('add and subtract usage of one account only, each time with a new revision', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 2 ** 45, objects: 2 }));
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: -5, objects: -1 }));
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 0, objects: 0 }));
      expect(await account()).toMatchObject({ usedBytes: 2 ** 45 - 5, usedObjects: 1, revision: 3 });
      expect(await account(otherId)).toMatchObject({ usedBytes: 0, usedObjects: 0, revision: 0 });
    });

    it('record, to the millisecond, how much was stored on each day', async () => {
      const midnight = Math.floor(store.clock.now() / 86_400_000) * 86_400_000;
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 2 ** 45, objects: 1 }));
      store.clock.advance(midnight + 86_400_000 - store.clock.now() + 1000);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: -(2 ** 45), objects: -1 }));
      store.clock.advance(5000);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 7, objects: 1 }));
      const usage = (await store.metadata.read.accounts.usageOf(accountId, 0))!;
      const stored = usage.days.filter(({ byteMs }) => byteMs > 0n);
      expect(usage).toMatchObject({ usedBytes: 7, usedObjects: 1, createdAt: 2000, settledAt: store.clock.now() });
      expect(stored.map(({ day }) => day)).toEqual([midnight, midnight + 86_400_000]);
      expect(stored[1]).toEqual({ day: midnight + 86_400_000, byteMs: 2n ** 45n * 1000n, objectMs: 1000n });
      const recent = await store.metadata.read.accounts.usageOf(accountId, midnight + 86_400_000);
      expect(recent).toEqual({ ...usage, days: [stored[1]] });
      expect((await store.metadata.read.accounts.usageOf(accountId, store.clock.now()))?.days).toEqual([]);
      expect(await store.metadata.read.accounts.usageOf('nobody', 0)).toBeUndefined();
      expect(await store.metadata.read.accounts.usageOf(otherId, 0)).toEqual({
        usedBytes: 0,
        usedObjects: 0,
        trashBytes: 0,
        trashObjects: 0,
        createdAt: 1000,
        settledAt: 1000,
        days: [],
      });
    });

    it('record it once, if parts of a transaction come at any distance', async () => {
      const start = (id: string) => write((tx) => tx.accounts.addUsage(id, { bytes: 100, objects: 10 }));
      await Promise.all([start(accountId), start(otherId)]);
      store.clock.advance(2 * 86_400_000);
      const remove = { bytes: -10, objects: -1 };
      await write(async (tx) => {
        for (let at = 0; at < 10; at++) await tx.accounts.addUsage(otherId, remove);
      });
      await write((tx) =>
        together([...Array(10).keys()], async (at) => {
          for (let turn = 0; turn < at; turn++) await undefined;
          await tx.accounts.addUsage(accountId, remove);
        }),
      );
      const [usage, other] = await Promise.all(
        [accountId, otherId].map(
          async (id) => (await store.metadata.read.accounts.usageOf(id, store.clock.now() - 2e8))!,
        ),
      );
      expect(usage!.days.length).toBeGreaterThan(1);
      expect(usage!.days).toEqual(other!.days);
      expect(usage).toMatchObject({ usedBytes: 0, usedObjects: 0 });
    });

    it('keep the days of a year and drop earlier ones', async () => {
      const dayMs = 86_400_000;
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 }));
      store.clock.advance(200 * dayMs);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 }));
      store.clock.advance(300 * dayMs);
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 5, objects: 1 }));
      const today = Math.floor(store.clock.now() / dayMs) * dayMs;
      const { days } = (await store.metadata.read.accounts.usageOf(accountId, 0))!;
      expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 400 }, (_, at) => today + (at - 399) * dayMs));
      expect(days[0]).toEqual({ day: today - 399 * dayMs, byteMs: 5n * BigInt(dayMs), objectMs: BigInt(dayMs) });
      expect(days[300]).toEqual({ day: today - 99 * dayMs, byteMs: 10n * BigInt(dayMs), objectMs: 2n * BigInt(dayMs) });
    });

    it('refuse usage below 0 as a fault', async () => {
      await expect(write((tx) => tx.accounts.addUsage(accountId, { bytes: -1, objects: 0 }))).rejects.toThrow();
      await expect(write((tx) => tx.accounts.addUsage(accountId, { bytes: 0, objects: -1 }))).rejects.toThrow();
      expect(await account()).toMatchObject({ usedBytes: 0, usedObjects: 0, revision: 0 });
    });
  });

  describe(`${name}: reserved bytes of an account`, () => {
    it('never exceed the quota together with the usage', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 50, objects: 1 }));
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => write((tx) => tx.accounts.reserve(accountId, 10, 85))),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(3);
      expect(await account()).toMatchObject({ usedBytes: 50, reservedBytes: 30 });
      await write((tx) => tx.accounts.unreserve(accountId, 30));
      expect(await account()).toMatchObject({ reservedBytes: 0 });
      expect(await write((tx) => tx.accounts.reserve('none', 1, 100))).toBe(false);
    });
  });
}
