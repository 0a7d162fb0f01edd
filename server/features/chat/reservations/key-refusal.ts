import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { costOfAmount } from '#server/domain/money.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { moneyOf, outputWeight, spendOf, tokensOf, type KeyLimitName } from '../budgets/chat-quota.ts';
import type { ChatLease } from './chat-lease.ts';
import { leastChargeOf, type ChatLeaseRequest, type ChatRejection } from './chat-rejection.ts';
import { endOfDay, endOfMinute } from '../budgets/periods.ts';
import { highestCostOf, outputTokensWithin } from '../prices/model-prices.ts';
import type { ChatCharge, ChatTally } from '../budgets/table.ts';
import { underWay, untilReset } from '../budgets/until-reset.ts';

/** The charges and reservations of an API key. */
export interface KeyTotals {
  /** The charges of the day. */
  readonly used: ChatTally;
  /** The reservations of its requests under way that are charged to the day. */
  readonly reserved: ChatTally;
  /** Requests that began in the minute of the request that asks, charged or under way. */
  readonly inMinute: number;
}

/** A daily limit of a key on its tokens, or on their cost. */
interface KeyBudget {
  readonly name: KeyLimitName;
  readonly code: 'key_daily_limit_reached' | 'key_daily_spend_limit_reached' | 'key_daily_cost_limit_reached';
  readonly measure: (charge: ChatCharge) => number;
  readonly limit: number;
}

function budgetsOf({ spendPerDay, tokensPerDay, costPerDay }: KeyAiLimits): readonly KeyBudget[] {
  const spend = { name: 'spend_per_day', code: 'key_daily_spend_limit_reached', measure: spendOf } as const;
  const tokens = { name: 'tokens_per_day', code: 'key_daily_limit_reached', measure: tokensOf } as const;
  const cost = { name: 'cost_per_day', code: 'key_daily_cost_limit_reached', measure: moneyOf } as const;
  return [
    ...(spendPerDay === null ? [] : [{ ...spend, limit: spendPerDay }]),
    ...(tokensPerDay === null ? [] : [{ ...tokens, limit: tokensPerDay }]),
    ...(costPerDay === null ? [] : [{ ...cost, limit: costOfAmount(costPerDay) }]),
  ];
}

/** Returns the limits that have to be counted, or null if there are none: a list of models needs no count. */
export function countedLimits(limits: KeyAiLimits | null): KeyAiLimits | null {
  if (!limits) return null;
  const { requestsPerMinute, requestsPerDay, tokensPerDay, spendPerDay, costPerDay } = limits;
  const counted = [requestsPerMinute, requestsPerDay, tokensPerDay, spendPerDay, costPerDay];
  const isCounted = counted.some((limit) => limit !== null);
  return isCounted ? limits : null;
}

/** Returns the reason why a request comes too early for its key in this minute. */
export function ofKeyRate(
  totals: KeyTotals | undefined,
  { lease }: ChatLeaseRequest,
  limits: KeyAiLimits | null,
  now: number,
): ChatRejection | undefined {
  const limit = limits?.requestsPerMinute ?? null;
  if (limit === null || !totals || totals.inMinute < limit) return undefined;
  const retryAfterSeconds = Math.max(1, Math.ceil((endOfMinute(lease.startedAt) - now) / 1000));
  return { refusal: new Refusal('key_rate_limit_exceeded', { retryAfterSeconds }), isOfTokens: false };
}

/** Returns the reason why the key has used up its requests of the day. */
export function ofKeyDay(
  totals: KeyTotals | undefined,
  { lease }: ChatLeaseRequest,
  limits: KeyAiLimits | null,
  now: number,
): ChatRejection | undefined {
  const limit = limits?.requestsPerDay ?? null;
  if (limit === null || !totals || totals.used.requests + totals.reserved.requests < limit) return undefined;
  const refusal = new Refusal('key_daily_request_limit_reached', untilReset(endOfDay(lease.day), now));
  return { refusal, isOfTokens: false, keyLimit: 'requests_per_day' };
}

/** Returns the reason why the tokens of a request do not fit into the budgets of its key. */
export function ofKeyBudget(
  totals: KeyTotals | undefined,
  request: ChatLeaseRequest,
  limits: KeyAiLimits | null,
  now: number,
): ChatRejection | undefined {
  if (!limits || !totals) return undefined;
  const least = leastChargeOf(request);
  const budgets = budgetsOf(limits).filter(({ measure }) => measure(least) > 0);
  const needed = ({ measure }: KeyBudget) => measure(totals.used) + measure(least);
  const spent = budgets.find((one) => needed(one) > one.limit);
  if (spent) {
    const refusal = new Refusal(spent.code, untilReset(endOfDay(request.lease.day), now));
    return { refusal, isOfTokens: true, keyLimit: spent.name };
  }
  const isReserved = budgets.some((one) => needed(one) + one.measure(totals.reserved) > one.limit);
  return isReserved ? { ...underWay(), isOfTokens: true } : undefined;
}

/** Returns how many tokens of output the budgets of a key have left, beside this input. */
export function keyOutputTokensLeft(
  totals: KeyTotals | undefined,
  lease: ChatLease,
  limits: KeyAiLimits | null,
): number {
  if (!limits || !totals) return Infinity;
  const { used, reserved } = totals;
  const { inputTokens, prices } = lease;
  const tokens = (limits.tokensPerDay ?? Infinity) - tokensOf(used) - tokensOf(reserved) - inputTokens;
  const spend = (limits.spendPerDay ?? Infinity) - spendOf(used) - spendOf(reserved) - inputTokens;
  const cost = limits.costPerDay === null ? Infinity : costOfAmount(limits.costPerDay) - used.cost - reserved.cost;
  return Math.min(tokens, Math.floor(spend / outputWeight), outputTokensWithin(cost, lease, prices));
}

/** The largest totals of a key beside which a request fits with all of its output. Null means no limit. */
export interface KeyBounds {
  readonly requestsInMinute: number | null;
  readonly requestsToday: number | null;
  readonly tokensToday: number | null;
  readonly spendToday: number | null;
  /** Null also when the request costs nothing. */
  readonly costToday: number | null;
}

/** Returns the bounds of a request. */
export function keyBoundsOf(lease: ChatLease, limits: KeyAiLimits): KeyBounds {
  const below = (limit: number | null, amount: number) => (limit === null ? null : limit - amount);
  return {
    requestsInMinute: below(limits.requestsPerMinute, 1),
    requestsToday: below(limits.requestsPerDay, 1),
    tokensToday: below(limits.tokensPerDay, tokensOf(lease)),
    spendToday: below(limits.spendPerDay, spendOf(lease)),
    costToday: costBound(limits.costPerDay === null ? null : costOfAmount(limits.costPerDay), lease),
  };
}

/** Returns the largest cost beside which a request fits. Null without a limit, and for a request that costs nothing. */
export function costBound(limit: number | null, lease: ChatLease): number | null {
  const cost = highestCostOf(lease, lease.prices);
  return limit === null || cost === 0 ? null : limit - cost;
}
