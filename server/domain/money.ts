/**
 * Costs are whole numbers of this part of the currency, so that their sums are exact in every order: a billionth. At
 * the highest price, twice the largest budget of a day in tokens costs less than 2^53 of them. Only this file knows the
 * unit.
 */
const costsOfOne = 1_000_000_000;

/** Returns a cost as an amount of the currency, for people and clients. */
export function amountOfCost(cost: number): number {
  return cost / costsOfOne;
}

/** Returns an amount of the currency as a cost. */
export function costOfAmount(amount: number): number {
  return Math.round(amount * costsOfOne);
}

/**
 * Returns a cost in whole millionths of the currency. Header fields have numbers of at most 15 digits (RFC 9651, section
 * 3.3.1), and the largest budget has 16 in the unit of costs.
 */
export function millionthsOfCost(cost: number): number {
  return Math.floor(cost / (costsOfOne / 1_000_000));
}

/** What the tokens of a day may cost at least and at most, as an amount. The contract has the same numbers. */
export const costPerDayRange = { least: 0.000_001, most: 1_000_000, decimals: 9 } as const;
