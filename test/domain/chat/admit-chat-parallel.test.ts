import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ChatAdmission } from '#server/domain/chat/admit-chat.ts';
import { chatRefusal } from '#server/domain/chat/chat-refusal.ts';
import type { ChatCapacity, ChatPlanLimits } from '#server/domain/chat/plan-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { gateway, roomy, unlimited } from '#test/support/chat-gateway.ts';

describe('admitChat()', () => {
  it('never lets 64 parallel requests pass a limit, whichever it is', { timeout: 30_000 }, async () => {
    const caps: ReadonlyArray<readonly [Partial<ChatPlanLimits>, Partial<ChatCapacity>]> = [
      [{ concurrent: 2 }, {}], [{ requestsPerDay: 5 }, {}], [{ spendPerDay: 1000 }, {}], [{ tokensPerDay: 777 }, {}], [{ tokensPerWeek: 800 }, {}], [{}, { maxConcurrent: 3 }], [{}, { dailyTokens: 777 }],
    ];
    for (const [limits, capacity] of caps) {
      const { admit, settle, used } = await gateway(limits, capacity);
      let running = 0;
      let most = 0;
      await Promise.all(
        Array.from({ length: 64 }, async () => {
          const admission = await admit().catch((error: unknown) => error);
          if (error(admission)) return;
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running--;
          await settle(admission as ChatAdmission, 100, (admission as ChatAdmission).maxOutputTokens);
        }),
      );
      const { requests, tokens, spend } = await used();
      expect(requests).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(Math.min(limits.concurrent ?? 1000, capacity.maxConcurrent ?? 1000));
      expect(requests).toBeLessThanOrEqual(limits.requestsPerDay ?? 1000);
      expect(tokens).toBeLessThanOrEqual(Math.min(limits.tokensPerDay ?? 1e9, limits.tokensPerWeek ?? 1e9, capacity.dailyTokens ?? 1e9));
      expect(spend).toBeLessThanOrEqual(limits.spendPerDay ?? 1e9);
    }
  });

  it('refuses for a reason whenever, and only when, the store finds no room', { timeout: 30_000 }, async () => {
    const { metadata, account, clock } = await gateway();
    const day = Date.UTC(2026, 3, 21);
    const now = clock.now();
    const small = (max: number) => fc.integer({ min: 0, max });
    const tally = fc.record({ inputTokens: small(30), outputTokens: fc.integer({ min: 1, max: 10 }), daysAgo: small(2), secondsAgo: small(9) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(tally, { maxLength: 3 }), fc.array(tally, { maxLength: 3 }),
        fc.record({ requestsPerDay: fc.option(small(4)), concurrent: small(4), pacingSeconds: small(9), spendPerDay: small(200), tokensPerDay: small(120), tokensPerWeek: small(150) }),
        fc.record({ maxConcurrent: fc.option(small(4)), dailyTokens: fc.option(small(120)) }),
        small(20), fc.integer({ min: 1, max: 20 }),
        async (charged, held, limits, capacity, inputTokens, leastOutputTokens) => {
          const { id: accountId } = await account();
          const ceilings = { limits: { ...roomy, ...limits }, capacity };
          const leaseOf = (id: string, { daysAgo, secondsAgo, ...usage }: typeof charged[number]) =>
            ({ id, accountId, day: day - daysAgo * 86_400_000, startedAt: now - secondsAgo * 1000, expiresAt: now + 1, ...usage });
          await metadata.atomically(async (tx) => {
            await tx.chat.giveUpAll();
            await tx.chat.forgetDaysBefore(day + 1, 1000);
            for (const one of charged) await tx.chat.charge(leaseOf('', one), one);
            for (const [n, one] of held.entries()) await tx.chat.hold({ lease: leaseOf(`held-${n}`, one), leastOutputTokens: 1 }, { limits: roomy, capacity: unlimited }, now);
          });
          const wish = { lease: { ...leaseOf('wish', { inputTokens, outputTokens: 20, daysAgo: 0, secondsAgo: 0 }) }, leastOutputTokens };
          const standing = await metadata.read.chat.standingOf(accountId, day, now);
          const granted = await metadata.atomically((tx) => tx.chat.hold(wish, ceilings, now));
          const reason = () => chatRefusal(standing, wish, ceilings, now).refusal;
          if (granted === undefined) expect(reason()).toBeInstanceOf(Refusal);
          else expect(reason).toThrow('no limit says why');
        },
      ),
      { numRuns: 300 },
    );
  });
});

function error(value: unknown): value is Refusal {
  return value instanceof Refusal;
}
