import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { amountOfCost } from '#server/domain/money.ts';
import type { ChatTotals } from '#server/features/chat/reservations/chat-refusal.ts';
import { spendOf, tokensOf } from '#server/features/chat/budgets/chat-quota.ts';
import type { KeyBounds, KeyTotals } from '#server/features/chat/reservations/key-refusal.ts';
import { boundsOf, decideLease, type ChatBounds } from '#server/features/chat/reservations/decide-lease.ts';

/** Tuesday, 21 April 2026. */
const day = Date.UTC(2026, 3, 21);

const count = fc.integer({ min: 0, max: 12 });
const tally = fc.record({ requests: count, inputTokens: count, outputTokens: count, cost: count });
const tallies = fc.record({ today: tally, week: tally });
const totals: fc.Arbitrary<ChatTotals> = fc.record({
  running: count,
  lastStartedAt: fc.option(fc.integer({ min: day - 5000, max: day + 5000 })),
  used: tallies,
  reserved: tallies,
  installation: fc.record({ running: count, usedToday: count, reservedToday: count }),
  key: fc.record({ used: tally, reserved: tally, inMinute: count }),
});
const limits = fc.record({
  quota: fc.record({
    requestsPerDay: fc.option(count),
    contextTokens: count,
    outputTokens: count,
    concurrent: count,
    pacingSeconds: fc.integer({ min: 0, max: 3 }),
    spendPerDay: fc.integer({ min: 0, max: 150 }),
    tokensPerDay: fc.integer({ min: 0, max: 80 }),
    tokensPerWeek: fc.integer({ min: 0, max: 80 }),
    costPerDay: fc.option(fc.integer({ min: 0, max: 300 })),
  }),
  capacity: fc.record({ maxConcurrent: fc.option(count), dailyTokens: fc.option(fc.integer({ min: 0, max: 60 })) }),
  key: fc.option(
    fc.record({
      requestsPerMinute: fc.option(count),
      requestsPerDay: fc.option(count),
      tokensPerDay: fc.option(fc.integer({ min: 0, max: 80 })),
      spendPerDay: fc.option(fc.integer({ min: 0, max: 150 })),
      // An amount: as many costs of the smallest unit.
      costPerDay: fc.option(fc.integer({ min: 0, max: 300 }).map(amountOfCost)),
      models: fc.constant(null),
    }),
  ),
});
/** Of a token, in thousandths of the unit of costs. Some tokens are free. */
const price = fc.constantFrom(0, 1, 400, 1000, 2500);
const prices = fc.option(fc.record({ input: price, cachedInput: price, output: price }), { nil: undefined });
const request = fc.record({
  lease: fc.record({
    id: fc.constant('a'),
    accountId: fc.constant('1'),
    keyId: fc.constant('key'),
    model: fc.constant('cubic'),
    day: fc.constant(day),
    startedAt: fc.integer({ min: day, max: day + 1000 }),
    expiresAt: fc.constant(day + 60_000),
    inputTokens: count,
    outputTokens: fc.integer({ min: 1, max: 12 }),
    prices,
  }),
  leastOutputTokens: fc.constant(1),
});

/** Compares as a store does, row by row. */
function isWithin(
  { running, lastStartedAt, used, reserved: held, installation, key }: ChatTotals,
  bounds: ChatBounds,
  startedAt: number,
) {
  return (
    running <= bounds.running &&
    (lastStartedAt === null || lastStartedAt > startedAt || lastStartedAt <= bounds.lastStartedAt) &&
    (bounds.requestsToday === null || used.today.requests + held.today.requests <= bounds.requestsToday) &&
    tokensOf(used.today) + tokensOf(held.today) <= bounds.tokensToday &&
    tokensOf(used.week) + tokensOf(held.week) <= bounds.tokensWeek &&
    spendOf(used.today) + spendOf(held.today) <= bounds.spendToday &&
    (bounds.costToday === null || used.today.cost + held.today.cost <= bounds.costToday) &&
    (bounds.installationRunning === null || installation.running <= bounds.installationRunning) &&
    (bounds.installationTokens === null ||
      installation.usedToday + installation.reservedToday <= bounds.installationTokens) &&
    isKeyWithin(key!, bounds.key)
  );
}

function isKeyWithin({ used, reserved: held, inMinute }: KeyTotals, bounds: KeyBounds | null) {
  const within = (total: number, bound: number | null) => bound === null || total <= bound;
  return (
    !bounds ||
    (within(inMinute, bounds.requestsInMinute) &&
      within(used.requests + held.requests, bounds.requestsToday) &&
      within(tokensOf(used) + tokensOf(held), bounds.tokensToday) &&
      within(spendOf(used) + spendOf(held), bounds.spendToday) &&
      within(used.cost + held.cost, bounds.costToday))
  );
}

describe('boundsOf()', () => {
  it('contains exactly the totals beside which a request is held with all of its output', () => {
    let held = 0;
    fc.assert(
      fc.property(totals, request, limits, (beside, asked, given) => {
        const decided = decideLease(beside, asked, given, asked.lease.startedAt);
        const isHeldWhole = !('refusal' in decided) && decided.lease.outputTokens === asked.lease.outputTokens;
        if (isHeldWhole) held++;
        expect(isWithin(beside, boundsOf(asked, given), asked.lease.startedAt)).toBe(isHeldWhole);
      }),
      { numRuns: 30_000, seed: 1 },
    );
    expect(held).toBeGreaterThan(20);
  });
});
