import { moneyOf, spendOf, tokensOf, type BudgetName, type ChatQuota, type ToldPercent } from './chat-quota.ts';
import { endOfDay, endOfWeek, startOfWeek } from './periods.ts';
import type { ChatCharge, ChatCharged } from './table.ts';

/** A limit on the tokens of an account in a period, or on their cost. Instants are milliseconds since the epoch. */
export interface Budget {
  readonly name: BudgetName;
  /** The code of a refusal because of it. */
  readonly code:
    | 'daily_spend_limit_reached'
    | 'daily_limit_reached'
    | 'weekly_limit_reached'
    | 'daily_cost_limit_reached';
  readonly period: keyof Pick<ChatCharged, 'today' | 'week'>;
  /** Returns what a charge takes of it. */
  readonly measure: (charge: ChatCharge) => number;
  readonly limit: number;
  /** The midnight, UTC, of the day that is charged. */
  readonly day: number;
  readonly startsAt: number;
  readonly resetsAt: number;
}

/**
 * Returns the budgets of a quota, in the order in which they refuse.
 *
 * @param day the midnight, UTC, of the day that is charged
 */
export function budgetsOf(quota: ChatQuota, day: number): readonly Budget[] {
  const ofDay = { period: 'today', day, startsAt: day, resetsAt: endOfDay(day) } as const;
  const ofWeek = { period: 'week', day, startsAt: startOfWeek(day), resetsAt: endOfWeek(day) } as const;
  const cost = { name: 'daily_cost', code: 'daily_cost_limit_reached', ...ofDay, measure: moneyOf } as const;
  return [
    { name: 'daily_spend', code: 'daily_spend_limit_reached', ...ofDay, measure: spendOf, limit: quota.spendPerDay },
    { name: 'daily_tokens', code: 'daily_limit_reached', ...ofDay, measure: tokensOf, limit: quota.tokensPerDay },
    { name: 'weekly_tokens', code: 'weekly_limit_reached', ...ofWeek, measure: tokensOf, limit: quota.tokensPerWeek },
    ...(quota.costPerDay === null ? [] : [{ ...cost, limit: quota.costPerDay }]),
  ];
}

/** Returns the charges that reach 80 percent of a budget. */
function warnedFrom({ limit }: Pick<Budget, 'limit'>): number {
  return limit - Math.floor(limit / 5);
}

/** Returns the highest part of a budget that charges have reached. */
export function reachedPercent(budget: Pick<Budget, 'limit'>, charged: number): ToldPercent | undefined {
  if (charged >= budget.limit) return 100;
  return charged >= warnedFrom(budget) ? 80 : undefined;
}

/** What the charges of a budget have to be below, so that a further one does not reach a part of it. */
interface ChargesBelow extends Pick<Budget, 'name' | 'limit' | 'startsAt'> {
  readonly percent80: number;
  readonly percent100: number;
}

/**
 * Returns the bounds of a charge. A store can compare them with its rows in the statement that charges.
 *
 * @param day the midnight, UTC, of the day that is charged
 */
export function chargesBelow(quota: ChatQuota, day: number, charge: ChatCharge): readonly ChargesBelow[] {
  return budgetsOf(quota, day).map(({ name, limit, startsAt, measure }) => ({
    ...{ name, limit, startsAt },
    percent80: warnedFrom({ limit }) - measure(charge),
    percent100: limit - measure(charge),
  }));
}
