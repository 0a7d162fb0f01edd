import { describe, expect, it } from 'vitest';

import type { ChatPlanLimits } from '#server/domain/chat/plan-limits.ts';
import type { ChatCeilings, ChatLease, ChatWish } from '#server/domain/chat/table.ts';
import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

const dayMs = 86_400_000;

/** Tuesday, 21 April 2026. */
const day = Date.UTC(2026, 3, 21);
const now = day + 9 * 3_600_000;

const limits: ChatPlanLimits = {
  requestsPerDay: null, contextTokens: 1000, outputTokens: 1000, concurrent: 1000, pacingSeconds: 0, spendPerDay: 1e9, tokensPerDay: 1e9, tokensPerWeek: 1e9,
};
const open: ChatCeilings = { limits, capacity: { maxConcurrent: null, dailyTokens: null } };
const within = (change: Partial<ChatPlanLimits>): ChatCeilings => ({ ...open, limits: { ...limits, ...change } });
const inCapacity = (change: Partial<ChatCeilings['capacity']>): ChatCeilings => ({ ...open, capacity: { ...open.capacity, ...change } });

const lease = (id: string, change: Partial<ChatLease> = {}): ChatLease => ({
  id, accountId, startedAt: now, expiresAt: now + 120_000, day, inputTokens: 10, outputTokens: 5, ...change,
});

const nothing = { requests: 0, inputTokens: 0, outputTokens: 0 };

/** The tables of the AI gateway: room that is held, and usage. */
export function chatConformance(store: StoreInTest): void {
  const { name, write } = store;
  const hold = (wished: ChatLease, ceilings = open, leastOutputTokens = wished.outputTokens, at = now) =>
    write((tx) => tx.chat.hold({ lease: wished, leastOutputTokens } satisfies ChatWish, ceilings, at));
  const charge = (inputTokens: number, outputTokens: number, change: Partial<ChatLease> = {}) => write((tx) => tx.chat.charge(lease('', change), { inputTokens, outputTokens }));
  const standing = (id = accountId, of = day, at = now) => store.metadata.read.chat.standingOf(id, of, at);

  describe(`${name}: room for requests of the AI gateway`, () => {
    it('is held, counted and given up whole, for its account alone', async () => {
      expect(await hold(lease('one'))).toBe(5);
      expect(await hold(lease('two', { inputTokens: 1, startedAt: now + 7 }))).toBe(5);
      const held = { requests: 2, inputTokens: 11, outputTokens: 10 };
      expect(await standing()).toEqual({
        running: 2, lastStartedAt: now + 7, used: { today: nothing, week: nothing }, held: { today: held, week: held }, installation: { running: 2, usedToday: 0, heldToday: 21 },
      });
      expect(await standing(otherId)).toMatchObject({ running: 0, lastStartedAt: null, held: { today: nothing } });
      expect(await write((tx) => tx.chat.giveUp('one'))).toEqual(lease('one'));
      expect(await write((tx) => tx.chat.giveUp('one'))).toBeUndefined();
      expect(await standing()).toMatchObject({ running: 1, held: { today: { requests: 1 } } });
    });

    it('counts nowhere from the instant at which it expires', async () => {
      await hold(lease('one'));
      expect(await standing(accountId, day, now + 119_999)).toMatchObject({ running: 1 });
      const after = now + 120_000;
      expect(await standing(accountId, day, after)).toMatchObject({ running: 0, lastStartedAt: null, held: { today: nothing, week: nothing }, installation: { running: 0, heldToday: 0 } });
      expect(await hold(lease('two', { startedAt: after }), within({ concurrent: 1, pacingSeconds: 1000, tokensPerDay: 15 }), 5, after)).toBe(5);
    });

    it('is not held, and nothing is charged, by work that throws', async () => {
      const failing = write(async (tx) => {
        await tx.chat.hold({ lease: lease('one'), leastOutputTokens: 1 }, open, now);
        await tx.chat.charge(lease('one'), { inputTokens: 1, outputTokens: 1 });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await standing()).toMatchObject({ running: 0, used: { today: nothing }, installation: { usedToday: 0, heldToday: 0 } });
    });

    it('is refused to an account that nobody knows', async () => {
      await expect(hold(lease('one', { accountId: 'nobody' }))).rejects.toThrow();
    });

    const taken: ReadonlyArray<readonly [what: string, fits: ChatCeilings, passes: ChatCeilings]> = [
      ['requests at once', within({ concurrent: 2 }), within({ concurrent: 1 })],
      ['requests of the day', within({ requestsPerDay: 3 }), within({ requestsPerDay: 2 })],
      ['tokens of the day', within({ tokensPerDay: 45 }), within({ tokensPerDay: 44 })],
      ['tokens of the week', within({ tokensPerWeek: 45 }), within({ tokensPerWeek: 44 })],
      ['fair use', within({ spendPerDay: 90 }), within({ spendPerDay: 89 })],
      ['requests of the installation', inCapacity({ maxConcurrent: 2 }), inCapacity({ maxConcurrent: 1 })],
      ['tokens of the installation', inCapacity({ dailyTokens: 45 }), inCapacity({ dailyTokens: 44 })],
      ['the pace', within({ pacingSeconds: 2 }), within({ pacingSeconds: 3 })],
    ];
    it.each(taken)('fits up to the ceiling of %s and not beyond, charged and held together', async (_what, fits, passes) => {
      await charge(10, 5, { startedAt: now - 9000 });
      await hold(lease('held', { startedAt: now - 2000 }));
      expect(await hold(lease('beyond'), passes)).toBeUndefined();
      expect(await standing()).toMatchObject({ running: 1 });
      expect(await hold(lease('up to'), fits)).toBe(5);
    });

    it('is cut to what is left of the scarcest budget, down to the least that was asked for', async () => {
      const scarce: ReadonlyArray<readonly [ChatCeilings, number]> = [
        [within({ tokensPerDay: 13 }), 3], [within({ tokensPerWeek: 12 }), 2], [within({ spendPerDay: 10 + 4 * 4 + 3 }), 4], [inCapacity({ dailyTokens: 11 }), 1],
        [within({ tokensPerDay: 14, tokensPerWeek: 12, spendPerDay: 30 }), 2],
      ];
      for (const [ceilings, granted] of scarce) {
        expect(await hold(lease('one'), ceilings, granted + 1)).toBeUndefined();
        expect(await hold(lease('one'), ceilings, 1)).toBe(granted);
        expect(await write((tx) => tx.chat.giveUp('one'))).toEqual(lease('one', { outputTokens: granted }));
      }
      expect(await hold(lease('one'), within({ tokensPerDay: 10 }), 1)).toBeUndefined();
    });

    it('waits for the pace of the account alone, and not for a clock that was put back', async () => {
      await charge(1, 1, { startedAt: now - 1000 });
      const paced = within({ pacingSeconds: 2 });
      expect(await hold(lease('one'), paced)).toBeUndefined();
      expect(await hold(lease('other', { accountId: otherId }), paced)).toBe(5);
      expect(await hold(lease('two', { startedAt: now + 1000 }), paced)).toBe(5);
      await write((tx) => tx.chat.giveUp('two'));
      expect(await hold(lease('three', { startedAt: now - 5000 }), paced)).toBe(5);
    });

    it('never passes a ceiling together, whoever comes at once', async () => {
      const ceilings: ChatCeilings[] = [within({ concurrent: 7 }), within({ requestsPerDay: 7 }), within({ tokensPerDay: 7 * 15 + 14 }), within({ tokensPerWeek: 7 * 15 }), within({ spendPerDay: 7 * 30 }), inCapacity({ maxConcurrent: 7 }), inCapacity({ dailyTokens: 7 * 15 })];
      for (const ceiling of ceilings) {
        const granted = await Promise.all(Array.from({ length: 64 }, (_, n) => hold(lease(`lease-${n}`), ceiling)));
        expect(granted.filter((tokens) => tokens !== undefined)).toHaveLength(7);
        expect(await write((tx) => tx.chat.giveUpAll())).toBe(7);
      }
    });

    it('is forgotten some at a time once it has expired for long', async () => {
      for (const n of [1, 2, 3]) await hold(lease(`lease-${n}`, { expiresAt: now + n }));
      expect(await write((tx) => tx.chat.forgetLeasesBefore(now + 3, 1))).toBe(1);
      expect(await write((tx) => tx.chat.forgetLeasesBefore(now + 3, 9))).toBe(1);
      expect(await standing()).toMatchObject({ running: 1 });
    });
  });

  describe(`${name}: usage of the AI gateway`, () => {
    it('adds up by day and by week from Monday to Sunday', async () => {
      await charge(100, 50, { day: day - 2 * dayMs, startedAt: 1 });
      await charge(10, 5, { day: day - dayMs, startedAt: now - dayMs });
      await charge(1, 2);
      await charge(3, 4, { startedAt: now - 1 });
      await charge(7, 7, { accountId: otherId });
      await charge(1000, 1000, { day: day + 6 * dayMs });
      expect((await standing()).used).toEqual({ today: { requests: 2, inputTokens: 4, outputTokens: 6 }, week: { requests: 3, inputTokens: 14, outputTokens: 11 } });
      expect((await standing(accountId, day - 2 * dayMs)).used.week).toEqual({ requests: 1, inputTokens: 100, outputTokens: 50 });
      expect((await standing()).installation.usedToday).toBe(24);
    });

    it('knows at the first instant of a Monday when the last request of Sunday began', async () => {
      const monday = day - dayMs;
      await charge(1, 1, { day: monday - dayMs, startedAt: monday - 1 });
      expect(await standing(accountId, monday, monday)).toMatchObject({ lastStartedAt: monday - 1, used: { week: nothing } });
    });

    it('holds for the day of its lease, also when another one has begun', async () => {
      await hold(lease('late', { day: day - dayMs }));
      expect(await standing()).toMatchObject({ running: 1, held: { today: nothing, week: { requests: 1, inputTokens: 10, outputTokens: 5 } }, installation: { running: 1, heldToday: 0 } });
      expect(await hold(lease('early'), within({ tokensPerDay: 15, requestsPerDay: 1 }))).toBe(5);
    });

    it('is forgotten day by day, and the sums of the installation with it', async () => {
      for (const back of [3, 2, 1, 0]) await charge(1, 1, { day: day - back * dayMs });
      expect(await write((tx) => tx.chat.forgetDaysBefore(day - dayMs, 1))).toBe(1);
      expect(await write((tx) => tx.chat.forgetDaysBefore(day - dayMs, 9))).toBe(1);
      expect((await standing()).used.week.requests).toBe(2);
      expect((await standing(accountId, day - 3 * dayMs)).installation.usedToday).toBe(0);
    });
  });
}
