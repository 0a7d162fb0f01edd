import { beforeEach, describe, expect, it } from 'vitest';

import type { ChatLease } from '#server/features/chat/reservations/chat-lease.ts';
import type { ChatReservations } from '#server/features/chat/reservations/chat-reservations.ts';
import type { ChatCapacity, ChatQuota } from '#server/features/chat/budgets/chat-quota.ts';
import { amountOfCost } from '#server/domain/money.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { changedAiLimits, type KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { ofKey, roomy, unlimited } from '#test/support/chat-gateway.ts';

export interface OpenedChatReservations {
  readonly reservations: ChatReservations;
  /** The store that charges are read from. */
  readonly metadata: Reads<'chat' | 'events'>;
  /** Two accounts. */
  readonly accountIds: readonly [string, string];
}

/**
 * Tests that a store reserves as the port promises. `open` is called before each test and returns one without leases
 * and charges.
 */
export function chatReservationsConformance(name: string, open: () => Promise<OpenedChatReservations>): void {
  const dayMs = 86_400_000;
  /** 09:30 on Tuesday, 21 April 2026. */
  const now = Date.UTC(2026, 3, 21, 9, 30);
  const today = Date.UTC(2026, 3, 21);

  let reservations: ChatReservations;
  let metadata: OpenedChatReservations['metadata'];
  let accountId: string;
  let otherId: string;
  beforeEach(async () => {
    const opened = await open();
    ({ reservations, metadata } = opened);
    [accountId, otherId] = opened.accountIds;
  });

  /** Returns a lease of 10 tokens of input, and at most 5 of output. */
  const lease = (id: string, change: Partial<ChatLease> = {}): ChatLease => ({
    id,
    ...ofKey,
    accountId,
    startedAt: now,
    expiresAt: now + 60_000,
    day: today,
    inputTokens: 10,
    outputTokens: 5,
    ...change,
  });
  /** A token of input costs 1, and one of output 3. */
  const prices = { input: 1000, cachedInput: 500, output: 3000 };
  const priced = (id: string, change: Partial<ChatLease> = {}) => lease(id, { prices, ...change });
  type Limits = Partial<ChatQuota & ChatCapacity & { readonly key: Partial<KeyAiLimits> }>;
  /** Returns the lease, or the rejection. */
  const hold = async (wish: ChatLease, { key, ...limits }: Limits = {}, at = now, leastOutputTokens = 1) => {
    const outcome = await reservations.reserve(
      { lease: wish, leastOutputTokens },
      {
        quota: { ...roomy, ...limits },
        capacity: { ...unlimited, ...limits },
        key: changedAiLimits(null, key ?? null),
      },
      at,
    );
    return 'lease' in outcome ? outcome.lease : outcome;
  };
  /** Returns the code with which another request of the first account is refused, or undefined if it fits. */
  const refusal = async (limits: Limits, change: Partial<ChatLease> = {}, at = now) => {
    const wish = lease('who asks', change);
    const outcome = await hold(wish, limits, at);
    if ('refusal' in outcome) return outcome.refusal.code;
    await reservations.release(wish);
    return undefined;
  };
  const charged = async () => (await metadata.read.chat.chargedTo(accountId, today)).today;
  const used = { inputTokens: 7, outputTokens: 3 };
  const told = async () =>
    (await metadata.read.events.scan({ accountId, after: 0, limit: 100 })).map(({ data }) => data);

  describe(`${name}.reserve()`, () => {
    it('counts running requests, for each account and for all together', async () => {
      for (const one of [lease('1'), lease('2'), lease('3', { accountId: otherId })]) await hold(one);
      expect(await refusal({ concurrent: 2 })).toBe('concurrent_limit_reached');
      expect(await refusal({ concurrent: 3 })).toBeUndefined();
      expect(await refusal({ concurrent: 1 }, { accountId: otherId })).toBe('concurrent_limit_reached');
      expect(await refusal({ concurrent: 2 }, { accountId: otherId })).toBeUndefined();
      expect(await refusal({ maxConcurrent: 3 })).toBe('server_overloaded');
      expect(await refusal({ maxConcurrent: 4 })).toBeUndefined();
      for (const one of [lease('1'), lease('2'), lease('3', { accountId: otherId })]) await reservations.release(one);
      expect(await refusal({ concurrent: 1, maxConcurrent: 1 })).toBeUndefined();
    });

    it('counts the maximum tokens of running requests, for each account and for all together', async () => {
      await hold(lease('1'));
      await hold(lease('2', { accountId: otherId }));
      const asks = { outputTokens: 1 };
      for (const limits of [{ tokensPerDay: 25 }, { tokensPerWeek: 25 }, { spendPerDay: 43 }])
        expect(await refusal(limits, asks)).toBe('concurrent_limit_reached');
      expect(await refusal({ tokensPerDay: 26, tokensPerWeek: 26, spendPerDay: 44 }, asks)).toBeUndefined();
      expect(await refusal({ dailyTokens: 40 }, asks)).toBe('server_overloaded');
      expect(await refusal({ dailyTokens: 41 }, asks)).toBeUndefined();
    });

    it('holds only as much output as fits', async () => {
      await hold(lease('1'));
      expect(await hold(lease('2'), { tokensPerDay: 28 })).toEqual(lease('2', { outputTokens: 3 }));
      expect(await refusal({ tokensPerDay: 39 }, { outputTokens: 1 })).toBe(undefined);
      expect(await refusal({ tokensPerDay: 38 }, { outputTokens: 1 })).toBe('concurrent_limit_reached');
    });

    it('counts the highest cost of running requests and the cost of others, for the account and the key', async () => {
      const key = { costPerDay: amountOfCost(1000) };
      await hold(priced('1'), { key });
      const asks = { prices, outputTokens: 1 };
      const ofKey = (cost: number, change: Partial<ChatLease> = asks) =>
        refusal({ key: { costPerDay: amountOfCost(cost) } }, change);
      expect(await refusal({ costPerDay: 37 }, asks)).toBe('concurrent_limit_reached');
      expect(await refusal({ costPerDay: 38 }, asks)).toBeUndefined();
      expect([await ofKey(37), await ofKey(38)]).toEqual(['concurrent_limit_reached', undefined]);
      await reservations.settle(priced('1'), { ...used, cost: 16 }, roomy);
      expect(await refusal({ costPerDay: 28 }, asks)).toBe('daily_cost_limit_reached');
      expect(await refusal({ costPerDay: 29 }, asks)).toBeUndefined();
      expect([await ofKey(28), await ofKey(29)]).toEqual(['key_daily_cost_limit_reached', undefined]);
      expect(await ofKey(28, { ...asks, keyId: 'other' })).toBeUndefined();
      expect(
        await refusal({ costPerDay: 28 }, { ...asks, day: today + dayMs, startedAt: now + dayMs }),
      ).toBeUndefined();
      // A model without prices costs nothing.
      expect(await refusal({ costPerDay: 1, key: { costPerDay: amountOfCost(1) } })).toBeUndefined();
    });

    it('holds only as much output as its cost allows', async () => {
      await hold(priced('1', { keyId: 'other' }));
      expect(await hold(priced('2'), { costPerDay: 25 + 10 + 8 })).toEqual(priced('2', { outputTokens: 2 }));
      await reservations.release(lease('2'));
      const key = { costPerDay: amountOfCost(10 + 14) };
      expect(await hold(priced('2'), { key })).toEqual(priced('2', { outputTokens: 4 }));
      expect(await hold(priced('3'), { costPerDay: 25 + 22 + 12 })).toHaveProperty('refusal');
    });

    it('holds exactly the allowed number of 64 parallel requests', async () => {
      const asked = Array.from({ length: 64 }, (_, n) => priced(`${n}`, { outputTokens: 10 }));
      const tokens = [{ tokensPerDay: 100 }, { dailyTokens: 100 }, { costPerDay: 200 }];
      for (const limits of [{ concurrent: 5 }, { maxConcurrent: 5 }, ...tokens]) {
        const outcomes = await Promise.all(asked.map((one) => hold(one, limits, now, 10)));
        const held = outcomes.filter((outcome) => !('refusal' in outcome));
        expect(held).toHaveLength(5);
        await Promise.all(asked.map((one) => reservations.release(one)));
      }
    });

    it('replaces a lease with the same id, which does not count against itself', async () => {
      const alone = { concurrent: 1, tokensPerDay: 105, maxConcurrent: 1, dailyTokens: 105 };
      await hold(lease('1'), alone);
      expect(await hold(lease('1', { inputTokens: 100 }), alone)).toEqual(lease('1', { inputTokens: 100 }));
      expect(await refusal({ concurrent: 2, tokensPerDay: 115 }, { outputTokens: 1 })).toBe('concurrent_limit_reached');
      expect(await refusal({ concurrent: 2, tokensPerDay: 116 }, { outputTokens: 1 })).toBeUndefined();
    });

    it('keeps the lease with the same id when the new one does not fit', async () => {
      await hold(lease('1'));
      expect(await hold(lease('1', { inputTokens: 100 }), { tokensPerDay: 50 })).toHaveProperty('refusal');
      expect(await refusal({ tokensPerDay: 26 }, { outputTokens: 1 })).toBeUndefined();
      expect(await refusal({ tokensPerDay: 25 }, { outputTokens: 1 })).toBe('concurrent_limit_reached');
    });

    it('counts tokens for the day and the week in which a request began, also after they have ended', async () => {
      await hold(lease('yesterday', { day: today - dayMs }));
      await hold(lease('last week', { day: today - 2 * dayMs }));
      const asks = { outputTokens: 1 };
      expect(await refusal({ concurrent: 2 })).toBe('concurrent_limit_reached');
      expect(await refusal({ tokensPerDay: 11, dailyTokens: 11 }, asks)).toBeUndefined();
      expect(await refusal({ tokensPerWeek: 25 }, asks)).toBe('concurrent_limit_reached');
      expect(await refusal({ tokensPerWeek: 26 }, asks)).toBeUndefined();
      expect(await refusal({ dailyTokens: 25 }, { ...asks, day: today - dayMs })).toBe('server_overloaded');
    });

    it('enforces the pacing between the start times of held and charged requests', async () => {
      await hold(lease('1', { startedAt: now - 2000 }));
      expect(await refusal({ pacingSeconds: 3 })).toBe('rate_limit_exceeded');
      expect(await refusal({ pacingSeconds: 2 })).toBeUndefined();
      await reservations.settle(lease('1', { startedAt: now - 2000 }), used, roomy);
      expect(await refusal({ pacingSeconds: 3 })).toBe('rate_limit_exceeded');
      expect(await refusal({ pacingSeconds: 2 })).toBeUndefined();
    });

    it('does not count a lease from the instant at which it expires', async () => {
      await hold(lease('1'));
      const strict = { concurrent: 1, maxConcurrent: 1, tokensPerDay: 15, dailyTokens: 15 };
      expect(await refusal(strict, {}, now + 59_999)).toBe('concurrent_limit_reached');
      expect(await refusal(strict, { startedAt: now + 60_000, expiresAt: now + 90_000 }, now + 60_000)).toBeUndefined();
    });

    const codes = {
      requestsPerMinute: 'key_rate_limit_exceeded',
      requestsPerDay: 'key_daily_request_limit_reached',
      tokensPerDay: 'key_daily_limit_reached',
      spendPerDay: 'key_daily_spend_limit_reached',
    } as const;

    it.each([
      ['requestsPerMinute', 2, codes.requestsPerMinute],
      ['requestsPerDay', 2, codes.requestsPerDay],
      ['tokensPerDay', 30, 'concurrent_limit_reached'],
      ['spendPerDay', 60, 'concurrent_limit_reached'],
    ] as const)(
      'counts what a key has reserved against its %s, and nothing of other keys',
      async (limit, value, code) => {
        const key = { [limit]: value };
        await hold(lease('1'), { key });
        await hold(lease('2', { keyId: 'other' }), { key });
        await hold(lease('3'), { key });
        expect(await refusal({ key })).toBe(code);
        expect(await refusal({ key }, { keyId: 'other' })).toBeUndefined();
        expect(await refusal({})).toBeUndefined();
        await reservations.release(lease('1'));
        expect(await refusal({ key })).toBeUndefined();
      },
    );

    it.each([
      ['requestsPerMinute', 2],
      ['requestsPerDay', 2],
      ['tokensPerDay', 20],
      ['spendPerDay', 38],
    ] as const)('counts what a key was charged against its %s, over all models', async (limit, value) => {
      const key = { [limit]: value };
      const models = { chat: lease('1'), embeddings: lease('2', { model: 'embed' }) };
      for (const one of Object.values(models)) {
        await hold(one, { key });
        await reservations.settle(one, used, roomy);
      }
      expect(await refusal({ key }, { outputTokens: 1 })).toBe(codes[limit]);
      expect(await refusal({ key }, { outputTokens: 1, keyId: 'other' })).toBeUndefined();
      const later = { startedAt: now + 60_000, expiresAt: now + 120_000, outputTokens: 1 };
      const isOver = limit === 'requestsPerMinute';
      expect(await refusal({ key }, later, now + 60_000)).toBe(isOver ? undefined : codes[limit]);
      expect(await refusal({ key }, { outputTokens: 1, day: today + dayMs, startedAt: now + dayMs })).toBeUndefined();
    });

    it('holds only as much output as fits into the limits of the key', async () => {
      await hold(lease('1'), { key: { tokensPerDay: 100 } });
      expect(await hold(lease('2'), { key: { tokensPerDay: 28 } })).toEqual(lease('2', { outputTokens: 3 }));
      await reservations.release(lease('2'));
      expect(await hold(lease('2'), { key: { spendPerDay: 30 + 10 + 9 } })).toEqual(lease('2', { outputTokens: 2 }));
    });

    it('replaces a lease of a key with limits, which does not count against itself', async () => {
      const key = { requestsPerDay: 1, requestsPerMinute: 1, tokensPerDay: 105 };
      await hold(lease('1'), { key });
      expect(await hold(lease('1', { inputTokens: 100 }), { key })).toEqual(lease('1', { inputTokens: 100 }));
    });

    it('holds exactly the number of 64 parallel requests that a key may make, beside other keys', async () => {
      const asked = Array.from({ length: 64 }, (_, n) =>
        priced(`${n}`, { outputTokens: 10, keyId: n % 2 ? 'a' : 'b' }),
      );
      for (const key of [
        { requestsPerDay: 5 },
        { requestsPerMinute: 5 },
        { tokensPerDay: 100 },
        { spendPerDay: 250 },
        { costPerDay: amountOfCost(200) },
      ]) {
        const outcomes = await Promise.all(asked.map((one) => hold(one, { key }, now, 10)));
        const held = outcomes.flatMap((outcome) => ('refusal' in outcome ? [] : [outcome.keyId]));
        expect([held.length, held.filter((id) => id === 'a').length]).toEqual([10, 5]);
        await Promise.all(asked.map((one) => reservations.release(one)));
      }
      const shared = await Promise.all(asked.map((one) => hold(one, { key: { requestsPerDay: 9 }, concurrent: 7 })));
      expect(shared.filter((outcome) => !('refusal' in outcome))).toHaveLength(7);
    });
  });

  describe(`${name}.settle()`, () => {
    it('charges only once, also after repeated calls', async () => {
      const held = lease('1');
      await hold(held);
      expect(await charged()).toEqual({ requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 });
      await reservations.settle(held, used, roomy);
      await reservations.settle(held, used, roomy);
      await reservations.release(held);
      expect(await charged()).toEqual({ requests: 1, ...used, cost: 0 });
      expect(await refusal({ concurrent: 1, tokensPerDay: 10 + 11 }, { outputTokens: 1 })).toBeUndefined();
    });

    it('charges a request whose lease has expired', async () => {
      await hold(lease('1'));
      await refusal({}, {}, now + 60_000);
      await reservations.settle(lease('1'), used, roomy);
      expect(await charged()).toEqual({ requests: 1, ...used, cost: 0 });
    });

    it('charges nothing for a lease that was released or never reserved', async () => {
      await hold(lease('1'));
      await reservations.release(lease('1'));
      await reservations.settle(lease('1'), used, roomy);
      await reservations.settle(lease('never'), used, roomy);
      expect(await charged()).toEqual({ requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 });
    });

    it('tells once of each budget that is reached, also by parallel requests', async () => {
      const leases = Array.from({ length: 8 }, (_, n) => lease(`${n}`));
      await Promise.all(leases.map((one) => hold(one)));
      const quota = { ...roomy, tokensPerDay: 40, tokensPerWeek: 50, spendPerDay: 1000 };
      await Promise.all(leases.map((one) => reservations.settle(one, used, quota)));
      expect(await charged()).toEqual({ requests: 8, inputTokens: 56, outputTokens: 24, cost: 0 });
      const ofDay = { budget: 'daily_tokens', limit: 40, startsAt: today, resetsAt: today + dayMs };
      const ofWeek = { budget: 'weekly_tokens', limit: 50, startsAt: today - dayMs, resetsAt: today + 6 * dayMs };
      expect(await told()).toEqual([
        // Of 80 percent of the day no charge told, because the fourth reached all of it.
        { ...ofDay, percent: 100, used: 40 },
        { ...ofWeek, percent: 80, used: 40 },
        { ...ofWeek, percent: 100, used: 50 },
      ]);
      await hold(lease('later'));
      await reservations.settle(lease('later'), used, { ...quota, tokensPerDay: 90 });
      expect((await told()).slice(3)).toEqual([
        expect.objectContaining({ percent: 100, budget: 'daily_tokens', limit: 90, used: 90 }),
      ]);
    });

    it('tells nothing below 80 percent of the budgets', async () => {
      await hold(lease('1'));
      await reservations.settle(lease('1'), used, { ...roomy, tokensPerDay: 13, tokensPerWeek: 13, spendPerDay: 24 });
      expect(await told()).toEqual([]);
    });

    it('tells of a cost as an amount', async () => {
      const quota = { ...roomy, costPerDay: 100 };
      for (const [id, cost] of [
        ['1', 79],
        ['2', 1],
        ['3', 19],
        ['4', 1],
      ] as const) {
        await hold(priced(id));
        await reservations.settle(priced(id), { ...used, cost }, quota);
      }
      const told80 = { percent: 80, budget: 'daily_cost', limit: 0.0000001, used: 0.00000008 };
      expect(await told()).toEqual([
        { ...told80, startsAt: today, resetsAt: today + dayMs },
        { ...told80, percent: 100, used: 0.0000001, startsAt: today, resetsAt: today + dayMs },
      ]);
    });

    it('tells once of 80 percent, whatever is charged until all is reached', async () => {
      const quota = { ...roomy, tokensPerDay: 100 };
      for (let n = 0; n < 10; n++) {
        await hold(lease(`${n}`));
        await reservations.settle(lease(`${n}`), used, quota);
      }
      expect(await told()).toEqual([
        expect.objectContaining({ percent: 80, used: 80 }),
        expect.objectContaining({ percent: 100, used: 100 }),
      ]);
      expect(await charged()).toEqual({ requests: 10, inputTokens: 70, outputTokens: 30, cost: 0 });
    });

    it('charges each key and model, so that their sum is what the account is charged', async () => {
      const leases = Array.from({ length: 64 }, (_, n) =>
        lease(`${n}`, { keyId: `k${n % 3}`, model: n % 2 ? 'cubic' : 'embed' }),
      );
      const key = { requestsPerDay: 1000 };
      await Promise.all(leases.map((one, n) => hold(one, n % 3 === 0 ? { key } : {})));
      // Some reach a budget, which takes another way.
      const quota = { ...roomy, tokensPerDay: 300 };
      await Promise.all(
        leases.map((one, n) => reservations.settle(one, { inputTokens: n, outputTokens: 1, cost: 3 * n }, quota)),
      );
      const query = { from: today, to: today, groupBy: new Set(['key', 'model'] as const), offset: 0, limit: 99 };
      const groups = await metadata.read.chat.usageOf(accountId, query);
      expect(groups).toHaveLength(6);
      const sum = { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
      for (const { keyId, model, requests, inputTokens, outputTokens, cost } of groups) {
        const own = leases.filter((one) => one.keyId === keyId && one.model === model);
        expect(requests).toBe(own.length);
        sum.requests += requests;
        sum.inputTokens += inputTokens;
        sum.outputTokens += outputTokens;
        sum.cost += cost;
      }
      expect(sum).toEqual(await charged());
      expect(sum).toEqual({ requests: 64, inputTokens: (63 * 64) / 2, outputTokens: 64, cost: (3 * 63 * 64) / 2 });
    });
  });
}
