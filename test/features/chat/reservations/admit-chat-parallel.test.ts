import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ChatAdmission } from '#server/features/chat/reservations/admit-chat.ts';
import {
  chatRefusal,
  grantedOutputTokens,
  type ChatLimits,
  type ChatTotals,
} from '#server/features/chat/reservations/chat-refusal.ts';
import type { TokenUsage } from '#server/features/chat/conversation/conversation.ts';
import type { ChatCapacity, ChatQuota } from '#server/features/chat/budgets/chat-quota.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { gateway, ofKey, roomy } from '#test/support/chat-gateway.ts';

/** A token of input costs 2.5 of the unit of costs, and one of output 4. */
const prices = { input: 2500, cachedInput: 100, output: 4000 };

describe('admitChat()', () => {
  it('keeps 64 parallel requests within every limit', async () => {
    const caps: ReadonlyArray<readonly [Partial<ChatQuota>, Partial<ChatCapacity>]> = [
      [{ concurrent: 2 }, {}],
      [{ requestsPerDay: 5 }, {}],
      [{ spendPerDay: 1000 }, {}],
      [{ tokensPerDay: 777 }, {}],
      [{ tokensPerWeek: 800 }, {}],
      [{ costPerDay: 1000 }, {}],
      [{}, { maxConcurrent: 3 }],
      [{}, { dailyTokens: 777 }],
    ];
    for (const [quota, capacity] of caps) {
      const { admit, settle, used, cost } = await gateway(quota, capacity);
      let running = 0;
      let most = 0;
      await Promise.all(
        Array.from({ length: 64 }, async () => {
          const admission = await admit({ prices }).catch((error: unknown) => error);
          if (error(admission)) return;
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running--;
          await settle(admission as ChatAdmission, 100, (admission as ChatAdmission).maxOutputTokens);
        }),
      );
      const { requests, tokens, spend } = await used();
      expect(requests).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(Math.min(quota.concurrent ?? 1000, capacity.maxConcurrent ?? 1000));
      expect(requests).toBeLessThanOrEqual(quota.requestsPerDay ?? 1000);
      expect(tokens).toBeLessThanOrEqual(
        Math.min(quota.tokensPerDay ?? 1e9, quota.tokensPerWeek ?? 1e9, capacity.dailyTokens ?? 1e9),
      );
      expect(spend).toBeLessThanOrEqual(quota.spendPerDay ?? 1e9);
      expect(await cost()).toBeGreaterThan(0);
      expect(await cost()).toBeLessThanOrEqual(quota.costPerDay ?? 1e9);
    }
  });

  it('admits exactly as many of 64 as fit while others end, and charges each for its tokens', async () => {
    const { admit, settle, used } = await gateway({ tokensPerDay: 7 * 150, concurrent: 3 });
    const codes: string[] = [];
    await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        for (;;) {
          const admission = await admit({ prices }).catch((refusal: Refusal) => refusal);
          if (!error(admission)) return settle(admission, 100, 50);
          codes.push(admission.code);
          if (admission.code !== 'concurrent_limit_reached') return;
          await new Promise((resolve) => setTimeout(resolve, n % 4));
        }
      }),
    );
    expect(await used()).toMatchObject({ requests: 7, tokens: 7 * 150 });
    expect(new Set(codes)).toEqual(new Set(['concurrent_limit_reached', 'daily_limit_reached']));
  });

  it('holds as many tokens as fit, and only when every limit allows the request', () => {
    const day = Date.UTC(2026, 3, 21);
    const now = day + 9 * 3_600_000;
    const small = (max: number) => fc.integer({ min: 0, max });
    const tally = fc.record({ requests: small(3), inputTokens: small(60), outputTokens: small(30), cost: small(60) });
    fc.assert(
      fc.property(
        fc.record({
          running: small(3),
          lastStartedAt: fc.option(fc.integer({ min: now - 9000, max: now + 1000 })),
          used: fc.record({ today: tally, week: tally }),
          reserved: fc.record({ today: tally, week: tally }),
        }),
        fc.record({ running: small(3), usedToday: small(60), reservedToday: small(60) }),
        fc.record({
          requestsPerDay: fc.option(small(6)),
          concurrent: small(4),
          pacingSeconds: small(9),
          spendPerDay: small(400),
          tokensPerDay: small(240),
          tokensPerWeek: small(240),
          costPerDay: fc.option(small(240)),
        }),
        fc.record({ maxConcurrent: fc.option(small(4)), dailyTokens: fc.option(small(240)) }),
        small(20),
        fc.integer({ min: 1, max: 20 }),
        (account, installation, quota, capacity, inputTokens, leastOutputTokens) => {
          const totals: ChatTotals = { ...account, installation };
          const request = {
            lease: {
              id: 'request',
              ...ofKey,
              accountId: 'account',
              day,
              startedAt: now,
              expiresAt: now + 1,
              inputTokens,
              outputTokens: 20,
              prices,
            },
            leastOutputTokens,
          };
          const limits = { quota: { ...roomy, ...quota }, capacity, key: null };
          const fits = (outputTokens: number) => withinAll(totals, { inputTokens, outputTokens }, limits, now);
          const no = chatRefusal(totals, request, limits, now);
          expect(no === undefined).toBe(fits(leastOutputTokens));
          if (no) return;
          const granted = grantedOutputTokens(totals, request, limits);
          expect([granted >= leastOutputTokens, fits(granted), granted === 20 || !fits(granted + 1)]).toEqual([
            true,
            true,
            true,
          ]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** Whether the request is within all limits. States them plainly, in no order. */
function withinAll(
  { running, lastStartedAt, used, reserved: held, installation }: ChatTotals,
  asked: TokenUsage,
  { quota, capacity }: ChatLimits,
  now: number,
): boolean {
  const tokens = ({ inputTokens, outputTokens }: TokenUsage) => inputTokens + outputTokens;
  const spend = ({ inputTokens, outputTokens }: TokenUsage) => inputTokens + 4 * outputTokens;
  const cost = ({ inputTokens, outputTokens }: TokenUsage) => Math.ceil(2.5 * inputTokens + 4 * outputTokens);
  const today = [used.today, held.today, asked];
  const sum = (of: readonly TokenUsage[], measure: (usage: TokenUsage) => number) =>
    of.reduce((total, usage) => total + measure(usage), 0);
  return (
    running + 1 <= quota.concurrent &&
    (lastStartedAt === null || lastStartedAt > now || now - lastStartedAt >= 1000 * quota.pacingSeconds) &&
    (quota.requestsPerDay === null || used.today.requests + held.today.requests + 1 <= quota.requestsPerDay) &&
    sum(today, spend) <= quota.spendPerDay &&
    sum(today, tokens) <= quota.tokensPerDay &&
    sum([used.week, held.week, asked], tokens) <= quota.tokensPerWeek &&
    (quota.costPerDay === null || used.today.cost + held.today.cost + cost(asked) <= quota.costPerDay) &&
    (capacity.maxConcurrent === null || installation.running + 1 <= capacity.maxConcurrent) &&
    (capacity.dailyTokens === null ||
      installation.usedToday + installation.reservedToday + tokens(asked) <= capacity.dailyTokens)
  );
}

function error(value: unknown): value is Refusal {
  return value instanceof Refusal;
}
