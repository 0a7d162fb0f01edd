import type { TokenCounts, TokenUsage } from '../conversation/conversation.ts';

/**
 * What a token of a model costs, in thousandths of the unit of costs. That is a millionth of the price of a million
 * tokens, so each price of a file is a whole number.
 *
 * @see server/domain/money.ts
 */
export interface ModelPrices {
  readonly input: number;
  /** Of input that the model's server had read before. */
  readonly cachedInput: number;
  readonly output: number;
}

/** The prices of a file have at most six decimals. */
const stepsOfPrice = 1_000_000;

/**
 * Returns the prices of a token.
 *
 * @param perMillion what a million tokens cost, as amounts of the currency
 */
export function pricesOfTokens(perMillion: Readonly<Record<keyof ModelPrices, number>>): ModelPrices {
  const ofToken = (price: number) => Math.round(price * stepsOfPrice);
  const { input, cachedInput, output } = perMillion;
  return { input: ofToken(input), cachedInput: ofToken(cachedInput), output: ofToken(output) };
}

/** A price counts in these parts of the unit of costs. */
const partsOfCost = 1000;

/**
 * Returns what tokens cost, rounded up to the unit of costs: what has a price costs something. A model without prices
 * costs nothing.
 */
export function costOf(usage: TokenUsage, prices: ModelPrices | undefined): number {
  if (!prices) return 0;
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
  const cachedTokens = Math.min(cachedInputTokens, inputTokens);
  const counted = [
    [inputTokens - cachedTokens, prices.input],
    [cachedTokens, prices.cachedInput],
    [outputTokens, prices.output],
  ] as const;
  let whole = 0;
  let parts = 0;
  // The product of a price and of tokens may be larger than 2^53. These two are not.
  for (const [tokens, price] of counted) {
    whole += tokens * Math.floor(price / partsOfCost);
    parts += tokens * (price % partsOfCost);
  }
  return whole + Math.ceil(parts / partsOfCost);
}

/** Returns the most that so many tokens can cost: none of the input may have been read before. */
export function highestCostOf({ inputTokens, outputTokens }: TokenCounts, prices: ModelPrices | undefined): number {
  if (!prices) return 0;
  const input = Math.max(prices.input, prices.cachedInput);
  return costOf({ inputTokens, outputTokens }, { ...prices, input });
}

/** Returns how many tokens of output cost at most `left`, beside the input: no more than `tokens` has. */
export function outputTokensWithin(left: number, tokens: TokenCounts, prices: ModelPrices | undefined): number {
  const highest = highestCostOf(tokens, prices);
  if (highest === 0 || highest <= left) return tokens.outputTokens;
  let [fits, tooMany] = [0, tokens.outputTokens];
  while (tooMany - fits > 1) {
    const outputTokens = Math.floor((fits + tooMany) / 2);
    if (highestCostOf({ ...tokens, outputTokens }, prices) <= left) fits = outputTokens;
    else tooMany = outputTokens;
  }
  return fits;
}
