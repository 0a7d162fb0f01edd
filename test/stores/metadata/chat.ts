import { describe, expect, it } from 'vitest';

import type {
  ChatChargedTo,
  ReachedBudget,
  ReachedKeyLimit,
  UsageGroup,
  UsageQuery,
} from '#server/features/chat/budgets/table.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const dayMs = 86_400_000;

/** Tuesday, 21 April 2026. */
const day = Date.UTC(2026, 3, 21);
const now = day + 9 * 3_600_000;

const nothing = { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

/** The tables of charges of the AI gateway. */
export function chatConformance(store: StoreInTest): void {
  const { name, write } = store;
  const charge = (inputTokens: number, outputTokens: number, to: Partial<ChatChargedTo> = {}, cost = 0) =>
    write((tx) =>
      tx.chat.charge(
        { accountId, keyId: 'a', model: 'cubic', day, startedAt: now, ...to },
        { inputTokens, outputTokens, cost },
      ),
    );
  const charged = (id = accountId, of = day) => store.metadata.read.chat.chargedTo(id, of);
  const tokensOn = (of: number) => store.metadata.read.chat.tokensOn(of);

  describe(`${name}: usage of the AI gateway`, () => {
    it('is zero before the first request', async () => {
      expect(await charged()).toEqual({ today: nothing, week: nothing, lastStartedAt: null });
      expect(await tokensOn(day)).toBe(0);
    });

    it('adds up by day and by week from Monday to Sunday', async () => {
      await charge(100, 50, { day: day - 2 * dayMs, startedAt: 1 });
      await charge(10, 5, { day: day - dayMs, startedAt: now - dayMs });
      await charge(1, 2);
      await charge(3, 4, { startedAt: now - 1 });
      await charge(7, 7, { accountId: otherId });
      await charge(1000, 1000, { day: day + 6 * dayMs });
      expect(await charged()).toMatchObject({
        today: { requests: 2, inputTokens: 4, outputTokens: 6 },
        week: { requests: 3, inputTokens: 14, outputTokens: 11 },
      });
      expect((await charged(accountId, day - 2 * dayMs)).week).toEqual({
        requests: 1,
        inputTokens: 100,
        outputTokens: 50,
        cost: 0,
      });
      expect(await tokensOn(day)).toBe(24);
    });

    it('has the start time of the latest request, also of a Sunday at the first instant of Monday', async () => {
      await charge(1, 1);
      await charge(1, 1, { startedAt: now - 1000 });
      expect((await charged()).lastStartedAt).toBe(now);
      const monday = day - dayMs;
      await charge(1, 1, { accountId: otherId, day: monday - dayMs, startedAt: monday - 1 });
      expect(await charged(otherId, monday)).toEqual({ today: nothing, week: nothing, lastStartedAt: monday - 1 });
    });

    it('notes once that a budget was reached, per budget, period and limit, until that is forgotten', async () => {
      const reached = { accountId, budget: 'daily_tokens', startsAt: day - dayMs, limit: 100, percent: 100 } as const;
      const note = (change: Partial<ReachedBudget> = {}) =>
        write((tx) => tx.chat.noteReached({ ...reached, ...change }));
      expect(await store.metadata.read.chat.wasReached(reached)).toBe(false);
      expect([await note(), await note()]).toEqual([true, false]);
      expect(await store.metadata.read.chat.wasReached(reached)).toBe(true);
      const others = [
        ...[{ budget: 'daily_spend' }, { startsAt: day }, { limit: 101 }],
        ...[{ percent: 80 }, { accountId: otherId }],
      ] as const;
      for (const other of others) expect([await note(other), await note(other)]).toEqual([true, false]);
      await write((tx) => tx.chat.forgetDaysBefore(day, 9));
      expect([await note(), await note({ startsAt: day })]).toEqual([true, false]);
    });

    it('is not charged by work that throws, nor to an unknown account', async () => {
      const failing = write(async (tx) => {
        await tx.chat.charge(
          { accountId, keyId: 'a', model: 'cubic', day, startedAt: now },
          { inputTokens: 1, outputTokens: 1 },
        );
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await expect(charge(1, 1, { accountId: 'nobody' })).rejects.toThrow();
      expect(await charged()).toMatchObject({ today: nothing });
      expect(await tokensOn(day)).toBe(0);
    });

    it('is removed day by day, together with the sums of the installation', async () => {
      for (const back of [3, 2, 1, 0]) await charge(1, 1, { day: day - back * dayMs });
      // Of each day a row of the account, and one of the key and the model.
      expect(await write((tx) => tx.chat.forgetDaysBefore(day - dayMs, 1))).toBe(2);
      expect(await write((tx) => tx.chat.forgetDaysBefore(day - dayMs, 9))).toBe(2);
      expect((await charged()).week.requests).toBe(2);
      expect(await tokensOn(day - 3 * dayMs)).toBe(0);
    });

    const usageOf = (query: Partial<UsageQuery> = {}) =>
      store.metadata.read.chat.usageOf(accountId, {
        ...{ from: day - dayMs, to: day, groupBy: new Set(['day', 'key', 'model'] as const), offset: 0, limit: 9 },
        ...query,
      });
    const chargeKeys = async () => {
      await charge(1, 2, { day: day - 2 * dayMs });
      await charge(3, 4, { day: day - dayMs, keyId: 'b' });
      await charge(5, 6, { keyId: 'b', model: 'embed' });
      await charge(7, 8, { keyId: 'b' });
      await charge(9, 10);
      await charge(11, 12);
      await charge(99, 99, { accountId: otherId });
    };
    const group = (of: Partial<UsageGroup>, requests: number, inputTokens: number, outputTokens: number) => ({
      ...{
        day: null,
        keyId: null,
        model: null,
        requests,
        inputTokens,
        outputTokens,
        cachedRequests: 0,
        cost: 0,
        ...of,
      },
    });

    it('is added up by day, key and model, in this order', async () => {
      await chargeKeys();
      const all = [
        group({ day: day - dayMs, keyId: 'b', model: 'cubic' }, 1, 3, 4),
        group({ day, keyId: 'a', model: 'cubic' }, 2, 20, 22),
        group({ day, keyId: 'b', model: 'cubic' }, 1, 7, 8),
        group({ day, keyId: 'b', model: 'embed' }, 1, 5, 6),
      ];
      expect(await usageOf()).toEqual(all);
      expect(await usageOf({ offset: 1, limit: 2 })).toEqual(all.slice(1, 3));
      expect(await usageOf({ keyId: 'a' })).toEqual([all[1]]);
      expect(await usageOf({ to: day - dayMs })).toEqual([all[0]]);
      expect(await usageOf({ groupBy: new Set(['model']) })).toEqual([
        group({ model: 'cubic' }, 4, 30, 34),
        group({ model: 'embed' }, 1, 5, 6),
      ]);
      expect(await usageOf({ groupBy: new Set(['key']), from: 0 })).toEqual([
        group({ keyId: 'a' }, 3, 21, 24),
        group({ keyId: 'b' }, 3, 15, 18),
      ]);
      expect(await usageOf({ from: day + dayMs, to: day + dayMs })).toEqual([]);
    });

    it('has the cost of all requests, exact in a day, and as near as a number can be in many', async () => {
      const cost = 4_200_000_000_000_001;
      await charge(1, 2, {}, 1);
      await charge(1, 2, {}, cost);
      await charge(1, 2, { model: 'free' });
      await charge(1, 2, { day: day - dayMs }, cost);
      await charge(1, 2, { day: day - 2 * dayMs }, cost);
      const costs = async (query: Partial<UsageQuery>) => (await usageOf({ from: 0, ...query })).map((one) => one.cost);
      expect(await costs({ from: day })).toEqual([cost + 1, 0]);
      expect(await costs({ groupBy: new Set(['model']) })).toEqual([Number(3n * BigInt(cost) + 1n), 0]);
      expect((await charged()).today.cost).toBe(cost + 1);
      const ofKey = await store.metadata.read.chat.chargedToKey({ accountId, keyId: 'a', day }, now);
      expect(ofKey.today.cost).toBe(cost + 1);
    });

    it('counts cached requests beside the others, unless the account is gone', async () => {
      await chargeKeys();
      const cached = (requests: number, of: object = {}) => ({
        ...{ accountId, keyId: 'a', model: 'cubic', day, requests },
        ...of,
      });
      await write((tx) =>
        tx.chat.countCached([cached(2), cached(3, { keyId: 'c' }), cached(9, { accountId: 'gone' })]),
      );
      await write((tx) => tx.chat.countCached([cached(1), cached(1, { keyId: 'c' })]));
      expect(await usageOf({ groupBy: new Set(['key']), from: day })).toEqual([
        group({ keyId: 'a', cachedRequests: 3 }, 2, 20, 22),
        group({ keyId: 'b' }, 2, 12, 14),
        group({ keyId: 'c', cachedRequests: 4 }, 0, 0, 0),
      ]);
    });

    it('of a key is added up over its models, and by the minute in which requests began', async () => {
      await chargeKeys();
      const minute = now - (now % 60_000);
      const ofKey = (keyId: string, of = minute) =>
        store.metadata.read.chat.chargedToKey({ accountId, keyId, day }, of);
      expect(await ofKey('a')).toEqual({
        today: { requests: 2, inputTokens: 20, outputTokens: 22, cost: 0 },
        inMinute: 2,
      });
      expect(await ofKey('b')).toEqual({
        today: { requests: 2, inputTokens: 12, outputTokens: 14, cost: 0 },
        inMinute: 2,
      });
      expect(await ofKey('c')).toEqual({ today: nothing, inMinute: 0 });
      expect((await ofKey('a', minute + 60_000)).inMinute).toBe(0);
      await charge(1, 1, { startedAt: minute + 60_000 });
      // A request of an earlier minute that ends later changes nothing in this minute.
      await charge(1, 1, { startedAt: minute + 59_999 });
      expect(await ofKey('a', minute + 60_000)).toMatchObject({ today: { requests: 4 }, inMinute: 1 });
    });

    it('notes once that a limit of a key was reached, until its day is forgotten', async () => {
      const reached = { keyId: 'a', limit: 'tokens_per_day', day: day - dayMs, value: 5 } as const;
      const note = (change: Partial<ReachedKeyLimit> = {}) =>
        write((tx) => tx.chat.noteKeyReached({ ...reached, ...change }));
      expect(await store.metadata.read.chat.wasKeyReached(reached)).toBe(false);
      expect([await note(), await note(), await note({ value: 6 })]).toEqual([true, false, true]);
      expect(await store.metadata.read.chat.wasKeyReached(reached)).toBe(true);
      await write((tx) => tx.chat.forgetDaysBefore(day, 9));
      expect(await note()).toBe(true);
    });
  });
}
