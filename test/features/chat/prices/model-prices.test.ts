import fc from 'fast-check';
import { expect, it } from 'vitest';

import { amountOfCost } from '#server/domain/money.ts';
import { maxAiTokensPerDay } from '#server/features/chat/budgets/chat-quota.ts';
import { priceRange } from '#server/features/chat/config/model-prices.ts';
import {
  costOf,
  outputTokensWithin,
  highestCostOf,
  pricesOfTokens,
} from '#server/features/chat/prices/model-prices.ts';

const prices = pricesOfTokens({ input: 0.15, cachedInput: 0.075, output: 0.6 });

it('costOf() counts input, cached input and output at their prices', () => {
  expect(amountOfCost(costOf({ inputTokens: 1_000_000, outputTokens: 0 }, prices))).toBe(0.15);
  expect(amountOfCost(costOf({ inputTokens: 0, outputTokens: 1_000_000 }, prices))).toBe(0.6);
  const usage = { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 100 };
  expect(amountOfCost(costOf(usage, prices))).toBe(0.00018);
  // A server that counts more cached tokens than tokens.
  expect(costOf({ ...usage, cachedInputTokens: 5000 }, prices)).toBe(
    costOf({ ...usage, cachedInputTokens: 1000 }, prices),
  );
});

it('costOf() is 0 without prices, and rounds a part of its unit up', () => {
  expect(costOf({ inputTokens: 1000, outputTokens: 1000 }, undefined)).toBe(0);
  const cheapest = pricesOfTokens({ input: 0.000001, cachedInput: 0, output: 0 });
  expect([0, 1, 999, 1000, 1001].map((inputTokens) => costOf({ inputTokens, outputTokens: 7 }, cheapest))).toEqual([
    0, 1, 1, 1, 2,
  ]);
});

/** All prices of a file, as whole numbers of their smallest step. */
const price = fc.integer({ min: 0, max: priceRange.most * 10 ** priceRange.decimals });
const tokens = fc.integer({ min: 0, max: 10_000_000 });

it('costOf() is exact for all prices and more tokens than a request can have', () => {
  fc.assert(
    fc.property(price, price, price, tokens, tokens, tokens, (input, cachedInput, output, fresh, cached, answer) => {
      const usage = { inputTokens: fresh + cached, cachedInputTokens: cached, outputTokens: answer };
      const parts =
        BigInt(fresh) * BigInt(input) + BigInt(cached) * BigInt(cachedInput) + BigInt(answer) * BigInt(output);
      expect(BigInt(costOf(usage, { input, cachedInput, output }))).toBe((parts + 999n) / 1000n);
    }),
  );
});

it('twice the largest budget of a day at the highest price is an exact number', () => {
  const { most } = priceRange;
  const day = { inputTokens: 0, outputTokens: 2 * maxAiTokensPerDay };
  const cost = costOf(day, pricesOfTokens({ input: most, cachedInput: most, output: most }));
  expect(amountOfCost(cost)).toBe(4_000_000);
  expect(cost).toBeLessThan(2 ** 53);
});

it('outputTokensWithin() returns the most tokens whose highest cost fits', () => {
  const few = fc.integer({ min: 0, max: 5000 });
  fc.assert(
    fc.property(
      few,
      few,
      few,
      few,
      few,
      fc.integer({ min: 1, max: 300 }),
      (left, input, cachedInput, output, ...tokens) => {
        const [inputTokens, most] = tokens;
        const given = { input, cachedInput, output };
        const costWith = (outputTokens: number) => highestCostOf({ inputTokens, outputTokens }, given);
        const within = outputTokensWithin(left, { inputTokens, outputTokens: most }, given);
        if (within > 0) expect(costWith(within) === 0 || costWith(within) <= left).toBe(true);
        if (within < most) expect(costWith(within + 1)).toBeGreaterThan(left);
      },
    ),
  );
});
