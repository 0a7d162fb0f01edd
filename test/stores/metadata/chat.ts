import { describe, expect, it } from 'vitest';

import type { ChatChargedTo, ReachedBudget } from '#server/domain/chat/table.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const dayMs = 86_400_000;

/** Tuesday, 21 April 2026. */
const day = Date.UTC(2026, 3, 21);
const now = day + 9 * 3_600_000;

const nothing = { requests: 0, inputTokens: 0, outputTokens: 0 };

/** The tables of charges of the AI gateway. */
export function chatConformance(store: StoreInTest): void {
  const { name, write } = store;
  const charge = (inputTokens: number, outputTokens: number, to: Partial<ChatChargedTo> = {}) =>
    write((tx) => tx.chat.charge({ accountId, day, startedAt: now, ...to }, { inputTokens, outputTokens }));
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

    it('notes once that a budget was reached, for each budget, period and limit, until the period is forgotten', async () => {
      const reached = { accountId, budget: 'daily_tokens', startsAt: day - dayMs, limit: 100 } as const;
      const note = (change: Partial<ReachedBudget> = {}) =>
        write((tx) => tx.chat.noteReached({ ...reached, ...change }));
      expect(await store.metadata.read.chat.wasReached(reached)).toBe(false);
      expect([await note(), await note()]).toEqual([true, false]);
      expect(await store.metadata.read.chat.wasReached(reached)).toBe(true);
      const others = [{ budget: 'daily_spend' }, { startsAt: day }, { limit: 101 }, { accountId: otherId }] as const;
      for (const other of others) expect([await note(other), await note(other)]).toEqual([true, false]);
      await write((tx) => tx.chat.forgetDaysBefore(day, 9));
      expect([await note(), await note({ startsAt: day })]).toEqual([true, false]);
    });

    it('is not charged by work that throws, nor to an unknown account', async () => {
      const failing = write(async (tx) => {
        await tx.chat.charge({ accountId, day, startedAt: now }, { inputTokens: 1, outputTokens: 1 });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await expect(charge(1, 1, { accountId: 'nobody' })).rejects.toThrow();
      expect(await charged()).toMatchObject({ today: nothing });
      expect(await tokensOn(day)).toBe(0);
    });

    it('is removed day by day, together with the sums of the installation', async () => {
      for (const back of [3, 2, 1, 0]) await charge(1, 1, { day: day - back * dayMs });
      expect(await write((tx) => tx.chat.forgetDaysBefore(day - dayMs, 1))).toBe(1);
      expect(await write((tx) => tx.chat.forgetDaysBefore(day - dayMs, 9))).toBe(1);
      expect((await charged()).week.requests).toBe(2);
      expect(await tokensOn(day - 3 * dayMs)).toBe(0);
    });
  });
}
