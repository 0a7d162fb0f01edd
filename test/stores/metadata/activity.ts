import { describe, expect, it } from 'vitest';

import type { ActivityRecord } from '#server/domain/activity/activity.ts';
import { accountId, otherId, record } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of activity. */
export function activityConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: activity`, () => {
    const add = (...records: ActivityRecord[]) =>
      write(async (tx) => {
        for (const one of records) await tx.activity.add(one, 5000);
      });
    const sequences = async (of = accountId, before?: number, limit = 10) =>
      (await store.metadata.read.activity.scan({ accountId: of, limit, ...(before !== undefined && { before }) })).map(
        ({ sequence }) => sequence,
      );

    it('is returned as it was added, full or bare, newest first', async () => {
      const bare: ActivityRecord = {
        ...record,
        type: 'key.revoked',
        object: null,
        details: {},
        actor: { sourceIp: null, userAgent: null, auth: 'system' },
      };
      expect(await write((tx) => tx.activity.add(record, 5000))).toBe(1);
      expect(await write((tx) => tx.activity.add(bare, 4000))).toBe(2);
      const entries = [
        { ...bare, sequence: 2, at: 4000 },
        { ...record, sequence: 1, at: 5000 },
      ];
      expect(await store.metadata.read.activity.scan({ accountId, limit: 10 })).toEqual(entries);
      expect(await write((tx) => tx.activity.scan({ accountId, limit: 10 }))).toEqual(entries);
    });

    it('is numbered within one account without gaps, also when many entries come at once', async () => {
      await add({ ...record, accountId: otherId, object: null });
      await Promise.all(Array.from({ length: 20 }, () => add(record)));
      expect(await sequences(accountId, undefined, 100)).toEqual(Array.from({ length: 20 }, (_, at) => 20 - at));
      expect(await sequences(otherId)).toEqual([1]);
    });

    it('is scanned from any position, up to the limit', async () => {
      await add(record, record, record, record, record);
      expect(await sequences(accountId, undefined, 2)).toEqual([5, 4]);
      expect(await sequences(accountId, 4, 2)).toEqual([3, 2]);
      expect(await sequences(accountId, 1)).toEqual([]);
      expect(await sequences(accountId, 100)).toEqual([5, 4, 3, 2, 1]);
      expect(await sequences('nobody')).toEqual([]);
    });

    it('is scanned by key from any position, also over many entries', async () => {
      const by = (keyId: string): ActivityRecord => ({ ...record, actor: { ...record.actor, keyId } });
      await add(...Array.from({ length: 600 }, (_, at) => by(at % 3 === 0 ? 'key-1' : 'key-2')));
      await add({ ...by('key-1'), accountId: otherId, object: null });
      const scan = async (before?: number, atLeast?: number, limit = 1000) =>
        (await store.metadata.read.activity.scan({ accountId, keyId: 'key-1', before, atLeast, limit })).map(
          ({ sequence }) => sequence,
        );
      const all = Array.from({ length: 200 }, (_, at) => 598 - 3 * at);
      expect(await scan()).toEqual(all);
      expect(await scan(undefined, undefined, 3)).toEqual([598, 595, 592]);
      for (const edge of [255, 256, 257, 512])
        expect(await scan(edge + 2, edge - 2)).toEqual(all.filter((one) => one < edge + 2 && one >= edge - 2));
    });

    it('requires an existing account', async () => {
      await expect(add({ ...record, accountId: 'nobody', object: null })).rejects.toThrow();
    });

    it('is removed entry by entry in one account, and its sequences are not used again', async () => {
      await add(record, record, { ...record, accountId: otherId, object: null });
      await write((tx) => tx.activity.remove(accountId, 2));
      await write((tx) => tx.activity.remove(accountId, 7));
      expect([await sequences(), await sequences(otherId)]).toEqual([[1], [1]]);
      expect(await write((tx) => tx.activity.add(record, 5000))).toBe(3);
    });

    it('is removed up to the millisecond, minute after minute', async () => {
      await write(async (tx) => {
        for (const at of [119_999, 60_001, 120_000, 59_999, 60_000]) await tx.activity.add(record, at);
      });
      const forget = (at: number, limit = 10) => write((tx) => tx.activity.forgetBefore(at, limit));
      expect([await forget(60_000), await sequences()]).toEqual([1, [5, 3, 2, 1]]);
      expect([await forget(120_000, 1), await sequences()]).toEqual([1, [3, 2, 1]]);
      expect([await forget(119_999), await sequences()]).toEqual([1, [3, 1]]);
      expect([await forget(120_001), await sequences()]).toEqual([2, []]);
    });

    it('is removed by age in every account, oldest first, up to the limit; its sequences are not reused', async () => {
      await write(async (tx) => {
        for (const at of [3000, 1000, 2000, 4000]) await tx.activity.add(record, at);
        await tx.activity.add({ ...record, accountId: otherId, object: null }, 2500);
      });
      const forget = (at: number, limit: number) => write((tx) => tx.activity.forgetBefore(at, limit));
      expect(await forget(1000, 10)).toBe(0);
      expect(await forget(4000, 2)).toBe(2);
      expect(await sequences()).toEqual([4, 1]);
      expect(await forget(4000, 10)).toBe(2);
      expect([await sequences(), await sequences(otherId)]).toEqual([[4], []]);
      expect(await forget(9000, 10)).toBe(1);
      expect(await write((tx) => tx.activity.add(record, 5000))).toBe(5);
    });
  });
}
