import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { budgetsOf, type Budget } from '../budgets/budgets.ts';
import { leastChargeOf, type ChatLeaseRequest, type ChatRejection } from './chat-rejection.ts';
import { endOfDay } from '../budgets/periods.ts';
import { outputWeight, spendOf, tokensOf, type ChatCapacity, type ChatQuota } from '../budgets/chat-quota.ts';
import { keyOutputTokensLeft, ofKeyBudget, ofKeyDay, ofKeyRate, type KeyTotals } from './key-refusal.ts';
import { outputTokensWithin } from '../prices/model-prices.ts';
import { limitAdvice } from '../budgets/limit-advice.ts';
import type { ChatTally } from '../budgets/table.ts';
import { underWay, untilReset } from '../budgets/until-reset.ts';

/** The limits that apply to a request. */
export interface ChatLimits {
  readonly quota: ChatQuota;
  readonly capacity: ChatCapacity;
  /** The limits of the API key that asks; null without any. */
  readonly key: KeyAiLimits | null;
}

/** The charges and reservations of an account and of the whole installation. */
export interface ChatTotals {
  /** Requests under way. */
  readonly running: number;
  /** When the latest request began, charged or under way; null without a request in the last days. */
  readonly lastStartedAt: number | null;
  /** The charges. */
  readonly used: { readonly today: ChatTally; readonly week: ChatTally };
  /** The reservations of requests under way. */
  readonly reserved: { readonly today: ChatTally; readonly week: ChatTally };
  /** All accounts together, with their charged and reserved tokens. Zeros when the installation has no limit. */
  readonly installation: { readonly running: number; readonly usedToday: number; readonly reservedToday: number };
  /** The API key that asks. Undefined when it has no limits. */
  readonly key?: KeyTotals | undefined;
}

/**
 * Returns the reason why a request does not fit, or undefined if it fits. If only the reservations of requests under
 * way exceed a budget, the refusal asks to wait, because they may be freed at any moment.
 */
export function chatRefusal(
  totals: ChatTotals,
  request: ChatLeaseRequest,
  limits: ChatLimits,
  now: number,
): ChatRejection | undefined {
  return (
    ofPace(totals, request, limits) ??
    ofKeyRate(totals.key, request, limits.key, now) ??
    ofDay(totals, request, limits, now) ??
    ofKeyDay(totals.key, request, limits.key, now) ??
    ofBudget(totals, request, limits, now) ??
    ofKeyBudget(totals.key, request, limits.key, now) ??
    (isFull(totals, limits) ? { ...overloaded(), isOfTokens: false } : undefined) ??
    ofCapacity(totals, request, limits, now)
  );
}

/** Returns how many tokens of output fit: as many as the request can use, or the rest of the scarcest budget. */
export function grantedOutputTokens(
  { used, reserved, installation, key }: ChatTotals,
  { lease }: ChatLeaseRequest,
  { quota, capacity, key: keyLimits }: ChatLimits,
): number {
  const { inputTokens, outputTokens } = lease;
  return Math.min(
    outputTokens,
    quota.tokensPerDay - tokensOf(used.today) - tokensOf(reserved.today) - inputTokens,
    quota.tokensPerWeek - tokensOf(used.week) - tokensOf(reserved.week) - inputTokens,
    Math.floor((quota.spendPerDay - spendOf(used.today) - spendOf(reserved.today) - inputTokens) / outputWeight),
    (capacity.dailyTokens ?? Infinity) - installation.usedToday - installation.reservedToday - inputTokens,
    outputTokensWithin((quota.costPerDay ?? Infinity) - used.today.cost - reserved.today.cost, lease, lease.prices),
    keyOutputTokensLeft(key, lease, keyLimits),
  );
}

function ofPace(
  { running, lastStartedAt }: ChatTotals,
  { lease: { accountId, startedAt } }: ChatLeaseRequest,
  { quota }: ChatLimits,
): ChatRejection | undefined {
  if (running >= quota.concurrent) {
    const limit = `This account may have ${quota.concurrent} at once.`;
    return { ...underWay(`${limit} ${limitAdvice(accountId, 'concurrent')}`), isOfTokens: false };
  }
  const waitMs =
    lastStartedAt === null || lastStartedAt > startedAt ? 0 : lastStartedAt + quota.pacingSeconds * 1000 - startedAt;
  if (waitMs <= 0) return undefined;
  const refusal = new Refusal('rate_limit_exceeded', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
    detail:
      `Requests of this account begin at least ${quota.pacingSeconds} seconds apart. ` +
      limitAdvice(accountId, 'pacingSeconds'),
  });
  return { refusal, isOfTokens: false, turn: { of: 'account', waitMs } };
}

function ofDay(
  { used, reserved }: ChatTotals,
  { lease }: ChatLeaseRequest,
  { quota }: ChatLimits,
  now: number,
): ChatRejection | undefined {
  const isReached =
    quota.requestsPerDay !== null && used.today.requests + reserved.today.requests >= quota.requestsPerDay;
  if (!isReached) return undefined;
  return {
    refusal: new Refusal('daily_request_limit_reached', untilReset(endOfDay(lease.day), now)),
    isOfTokens: false,
  };
}

function ofBudget(
  { used, reserved }: ChatTotals,
  request: ChatLeaseRequest,
  { quota }: ChatLimits,
  now: number,
): ChatRejection | undefined {
  const least = leastChargeOf(request);
  // A request that costs nothing fits beside any cost.
  const budgets = budgetsOf(quota, request.lease.day).filter(({ measure }) => measure(least) > 0);
  const needed = ({ measure, period }: Budget) => measure(used[period]) + measure(least);
  const budget = budgets.find((one) => needed(one) > one.limit);
  if (budget) return { refusal: new Refusal(budget.code, untilReset(budget.resetsAt, now)), isOfTokens: true, budget };
  const isReserved = budgets.some((one) => needed(one) + one.measure(reserved[one.period]) > one.limit);
  return isReserved ? { ...underWay(), isOfTokens: true } : undefined;
}

function isFull({ installation }: ChatTotals, { capacity }: ChatLimits): boolean {
  return capacity.maxConcurrent !== null && installation.running >= capacity.maxConcurrent;
}

function ofCapacity(
  { installation }: ChatTotals,
  request: ChatLeaseRequest,
  { capacity }: ChatLimits,
  now: number,
): ChatRejection | undefined {
  const leastTokens = request.lease.inputTokens + request.leastOutputTokens;
  if (
    capacity.dailyTokens === null ||
    installation.usedToday + installation.reservedToday + leastTokens <= capacity.dailyTokens
  )
    return undefined;
  const isSpent = installation.usedToday + leastTokens > capacity.dailyTokens;
  if (!isSpent) return { ...overloaded(), isOfTokens: true };
  const refusal = new Refusal('daily_capacity_reached', untilReset(endOfDay(request.lease.day), now));
  return { refusal, isOfTokens: true };
}

function overloaded() {
  const refusal = new Refusal('server_overloaded');
  return { refusal, turn: { of: 'installation' } } as const;
}
