import type { ChatLease } from './chat-lease.ts';
import { spendOf, tokensOf } from '../budgets/chat-quota.ts';
import type { ChatLimits, ChatTotals } from './chat-refusal.ts';
import type { TokenUsage } from '../conversation/conversation.ts';
import { costOf, highestCostOf, type ModelPrices } from '../prices/model-prices.ts';
import type { ChatTally } from '../budgets/table.ts';
import { startOfDay } from '#server/domain/account/usage-days.ts';
import { endOfDay, endOfMinute, endOfWeek } from '../budgets/periods.ts';
import { dayMs } from '#server/domain/day.ts';
import { costOfAmount } from '#server/domain/money.ts';

const minuteMs = 60_000;
const weekMs = 7 * dayMs;

/** What is left of one limit, beside all charges and reservations. */
export interface BudgetLeft {
  /** As clients see it in the header `RateLimit`. */
  readonly name: string;
  /** Whether it counts requests, tokens, tokens with output counted four times, or what they cost. */
  readonly of: 'requests' | 'tokens' | 'spend' | 'cost';
  readonly limit: number;
  /** At least 0. */
  readonly remaining: number;
  readonly resetsAt: number;
  readonly windowMs: number;
}

interface Period extends Pick<BudgetLeft, 'resetsAt' | 'windowMs'> {
  readonly taken: Readonly<Record<BudgetLeft['of'], number>>;
}

function taken(used: ChatTally, reserved: ChatTally): Period['taken'] {
  return {
    requests: used.requests + reserved.requests,
    tokens: tokensOf(used) + tokensOf(reserved),
    spend: spendOf(used) + spendOf(reserved),
    cost: used.cost + reserved.cost,
  };
}

/** A request whose limits are compared. */
interface Compared {
  /** Its reservation, if one was made. */
  readonly lease?: ChatLease;
  /** The prices of its model. Limits of cost do not apply without any. */
  readonly prices: ModelPrices | undefined;
}

/**
 * Returns what is left of each limit of requests, tokens and cost that applies.
 */
export function budgetsLeft(
  { used, reserved, key: ofKey }: ChatTotals,
  { quota, key }: ChatLimits,
  { lease, prices }: Compared,
  now: number,
): readonly BudgetLeft[] {
  const day = lease?.day ?? startOfDay(now);
  const own = {
    requests: lease ? 1 : 0,
    tokens: lease ? tokensOf(lease) : 0,
    spend: lease ? spendOf(lease) : 0,
    cost: lease ? highestCostOf(lease, lease.prices) : 0,
  };
  const costs = highestCostOf({ inputTokens: 1, outputTokens: 1 }, prices) > 0;
  const ofDay = { resetsAt: endOfDay(day), windowMs: dayMs };
  const today = { ...ofDay, taken: taken(used.today, reserved.today) };
  const week = { resetsAt: endOfWeek(day), windowMs: weekMs, taken: taken(used.week, reserved.week) };
  const all: BudgetLeft[] = [];
  const add = (name: string, of: BudgetLeft['of'], limit: number | null, { taken, ...period }: Period) => {
    if (limit !== null) all.push({ name, of, limit, remaining: Math.max(0, limit - taken[of] - own[of]), ...period });
  };
  add('ai-requests', 'requests', quota.requestsPerDay, today);
  add('ai-tokens', 'tokens', quota.tokensPerDay, today);
  add('ai-week-tokens', 'tokens', quota.tokensPerWeek, week);
  add('ai-spend', 'spend', quota.spendPerDay, today);
  if (costs) add('ai-cost', 'cost', quota.costPerDay, today);
  if (!key || !ofKey) return all;
  const todayOfKey = { ...ofDay, taken: taken(ofKey.used, ofKey.reserved) };
  const resetsAt = endOfMinute(lease?.startedAt ?? now);
  const minute = { resetsAt, windowMs: minuteMs, taken: { ...todayOfKey.taken, requests: ofKey.inMinute } };
  add('ai-key-minute', 'requests', key.requestsPerMinute, minute);
  add('ai-key-requests', 'requests', key.requestsPerDay, todayOfKey);
  add('ai-key-tokens', 'tokens', key.tokensPerDay, todayOfKey);
  add('ai-key-spend', 'spend', key.spendPerDay, todayOfKey);
  if (costs && key.costPerDay !== null) add('ai-key-cost', 'cost', costOfAmount(key.costPerDay), todayOfKey);
  return all;
}

/** Returns what is left when a reservation becomes a charge. */
export function budgetsAfter(
  budgets: readonly BudgetLeft[],
  reserved: ChatLease,
  charged: TokenUsage,
): readonly BudgetLeft[] {
  const freed = {
    requests: 0,
    tokens: tokensOf(reserved) - tokensOf(charged),
    spend: spendOf(reserved) - spendOf(charged),
    cost: highestCostOf(reserved, reserved.prices) - costOf(charged, reserved.prices),
  };
  return budgets.map((one) => ({ ...one, remaining: Math.max(0, Math.min(one.limit, one.remaining + freed[one.of])) }));
}

/** Returns the scarcest limit of a kind: the one of which the smallest part is left. */
export function scarcest(
  budgets: readonly BudgetLeft[],
  kinds: ReadonlyArray<BudgetLeft['of']>,
): BudgetLeft | undefined {
  const part = ({ remaining, limit }: BudgetLeft) => (limit === 0 ? 0 : remaining / limit);
  return budgets
    .filter(({ of }) => kinds.includes(of))
    .reduce<BudgetLeft | undefined>((least, one) => (least && part(least) <= part(one) ? least : one), undefined);
}
