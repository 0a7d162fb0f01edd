import { InvalidArgumentError, type Command } from 'commander';

import { parseDecimal, plainAmount } from '../amounts.ts';
import { costPerDayRange } from '#server/domain/money.ts';
import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';

/** Removes a limit. Commander would make an empty text of null. */
const none = 'none';

/** The options of the limits, as commander names them. */
export interface AiLimitOptions {
  readonly aiRequestsPerMinute?: number | typeof none;
  readonly aiRequestsPerDay?: number | typeof none;
  readonly aiTokensPerDay?: number | typeof none;
  readonly aiSpendPerDay?: number | typeof none;
  readonly aiCostPerDay?: number | typeof none;
  readonly aiModels?: readonly string[] | typeof none;
}

/** As in the contract. @see openapi/schemas/account/KeyAiLimits.yaml */
const most = { minute: 1_000_000, day: 1_000_000_000, tokens: 1_000_000_000_000, models: 20 };

/**
 * Adds the options of the limits of a key in the AI gateway.
 *
 * @param mayRemove whether `none` removes a limit
 */
export function withAiLimits(command: Command, mayRemove: boolean): Command {
  const orNone = mayRemove ? ', or "none"' : '';
  const number = (largest: number) => (text: string) => {
    if (mayRemove && text === none) return none;
    const value = /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
    if (value <= largest) return value;
    throw new InvalidArgumentError(`A limit is a whole number from 1 to ${largest}${orNone}.`);
  };
  return command
    .option('--ai-requests-per-minute <n>', `AI requests that may begin in a minute${orNone}`, number(most.minute))
    .option('--ai-requests-per-day <n>', `AI requests of a day${orNone}`, number(most.day))
    .option('--ai-tokens-per-day <n>', `AI tokens of a day, input and output together${orNone}`, number(most.tokens))
    .option('--ai-spend-per-day <n>', `AI tokens of a day, output counted four times${orNone}`, number(most.tokens))
    .option(
      '--ai-cost-per-day <amount>',
      `cost of a day, in the currency of the prices, such as 2.50${orNone}`,
      (text: string) => (mayRemove && text === none ? none : parseCost(text)),
    )
    .option('--ai-models <list>', `models that the key may use, joined by commas${orNone}`, (text: string) =>
      mayRemove && text === none ? none : parseModels(text),
    );
}

/** Parses a cost of a day. */
function parseCost(text: string): number {
  const { least, most, decimals } = costPerDayRange;
  const value = parseDecimal(text, decimals);
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(
    `A cost is a number from ${plainAmount(least)} to ${most} with at most ${decimals} decimals.`,
  );
}

function parseModels(text: string): readonly string[] {
  const models = [...new Set(text.split(',').map((name) => name.trim()))];
  if (models.length > most.models || !models.every((name) => /^[!-~]{1,128}$/.test(name)))
    throw new InvalidArgumentError(`Models are 1 to ${most.models} names, joined by commas.`);
  return models;
}

/** Returns the limits that were given, or undefined without any. */
export function aiLimitsOf(options: AiLimitOptions): Partial<KeyAiLimits> | undefined {
  const { aiRequestsPerMinute, aiRequestsPerDay, aiTokensPerDay, aiSpendPerDay, aiCostPerDay, aiModels } = options;
  const limits = {
    ...(aiRequestsPerMinute !== undefined && { requestsPerMinute: orNull(aiRequestsPerMinute) }),
    ...(aiRequestsPerDay !== undefined && { requestsPerDay: orNull(aiRequestsPerDay) }),
    ...(aiTokensPerDay !== undefined && { tokensPerDay: orNull(aiTokensPerDay) }),
    ...(aiSpendPerDay !== undefined && { spendPerDay: orNull(aiSpendPerDay) }),
    ...(aiCostPerDay !== undefined && { costPerDay: orNull(aiCostPerDay) }),
    ...(aiModels !== undefined && { models: orNull(aiModels) }),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

function orNull<Limit>(given: Limit | typeof none): Limit | null {
  return given === none ? null : given;
}

/** Returns the limits as rows of facts. */
export function aiLimitRows(limits: KeyAiLimits | null): ReadonlyArray<readonly [string, string]> {
  if (!limits) return [];
  const { requestsPerMinute, requestsPerDay, tokensPerDay, spendPerDay, costPerDay, models } = limits;
  const rows = [
    ['AI requests a minute', requestsPerMinute],
    ['AI requests a day', requestsPerDay],
    ['AI tokens a day', tokensPerDay],
    ['AI fair use a day', spendPerDay],
    ['AI cost a day', costPerDay === null ? null : plainAmount(costPerDay)],
    ['AI models', models?.join(', ') ?? null],
  ] as const;
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as const]));
}
