import { Refusal } from '../refusal.ts';
import type { ChatLease } from './chat-room.ts';
import { endOfDay, endOfWeek } from './periods.ts';
import { outputWeight, spendOf, tokensOf, type ChatCapacity, type ChatPlanLimits } from './plan-limits.ts';
import type { ChatTally } from './table.ts';

/** What one request would like to hold. */
export interface ChatWish {
  /** `outputTokens` is the most that it can use. */
  readonly lease: ChatLease;
  /** With less than so many tokens of output it is refused. At least 1. */
  readonly leastOutputTokens: number;
}

/** What may not be passed. */
export interface ChatCeilings {
  readonly limits: ChatPlanLimits;
  readonly capacity: ChatCapacity;
}

/** Where an account stands on a day, and the installation with it. */
export interface ChatStanding {
  /** Requests under way. */
  readonly running: number;
  /** When the latest request began that was charged or is under way; null when none of the last days did. */
  readonly lastStartedAt: number | null;
  /** What is charged. */
  readonly used: { readonly today: ChatTally; readonly week: ChatTally };
  /** What is held for requests under way. */
  readonly held: { readonly today: ChatTally; readonly week: ChatTally };
  /** All accounts together; tokens that are charged, and held. */
  readonly installation: { readonly running: number; readonly usedToday: number; readonly heldToday: number };
}

/** An overloaded gateway may have room again in so many seconds. */
export const overloadedRetrySeconds = 2;

/** Why a request found no room. */
export interface ChatNo {
  readonly refusal: Refusal;
  /** Whether it would use too many tokens: with fewer it might still fit. */
  readonly isOfTokens: boolean;
}

/**
 * Why a request finds no room, after the order of the checks; undefined when it finds some. Tokens that are only held
 * for others may come back any moment: where a budget has room but for those, it is the requests under way that refuse.
 */
export function chatRefusal(
  standing: ChatStanding,
  wish: ChatWish,
  ceilings: ChatCeilings,
  now: number,
): ChatNo | undefined {
  const ofRequests = ofPace(standing, wish, ceilings) ?? ofDay(standing, wish, ceilings, now);
  if (ofRequests) return { refusal: ofRequests, isOfTokens: false };
  const ofTokens = ofBudget(standing, wish, ceilings, now);
  if (ofTokens) return { refusal: ofTokens, isOfTokens: true };
  if (isFull(standing, ceilings)) return { refusal: overloaded(), isOfTokens: false };
  const ofInstallation = ofCapacity(standing, wish, ceilings, now);
  return ofInstallation && { refusal: ofInstallation, isOfTokens: true };
}

/** Tokens of output that a request finds room for: as many as it can use, or what is left of the scarcest budget. */
export function grantedOutputTokens(
  { used, held, installation }: ChatStanding,
  { lease }: ChatWish,
  { limits, capacity }: ChatCeilings,
): number {
  const { inputTokens, outputTokens } = lease;
  return Math.min(
    outputTokens,
    limits.tokensPerDay - tokensOf(used.today) - tokensOf(held.today) - inputTokens,
    limits.tokensPerWeek - tokensOf(used.week) - tokensOf(held.week) - inputTokens,
    Math.floor((limits.spendPerDay - spendOf(used.today) - spendOf(held.today) - inputTokens) / outputWeight),
    (capacity.dailyTokens ?? Infinity) - installation.usedToday - installation.heldToday - inputTokens,
  );
}

function ofPace(
  { running, lastStartedAt }: ChatStanding,
  { lease: { startedAt } }: ChatWish,
  { limits }: ChatCeilings,
): Refusal | undefined {
  if (running >= limits.concurrent) return underWay();
  const waitMs =
    lastStartedAt === null || lastStartedAt > startedAt ? 0 : lastStartedAt + limits.pacingSeconds * 1000 - startedAt;
  return waitMs > 0 ? new Refusal('rate_limit_exceeded', { retryAfterSeconds: Math.ceil(waitMs / 1000) }) : undefined;
}

function ofDay(
  { used, held }: ChatStanding,
  { lease }: ChatWish,
  { limits }: ChatCeilings,
  now: number,
): Refusal | undefined {
  const isReached =
    limits.requestsPerDay !== null && used.today.requests + held.today.requests >= limits.requestsPerDay;
  return isReached ? new Refusal('daily_request_limit_reached', untilReset(endOfDay(lease.day), now)) : undefined;
}

function ofBudget(
  { used, held }: ChatStanding,
  wish: ChatWish,
  { limits }: ChatCeilings,
  now: number,
): Refusal | undefined {
  const least = { inputTokens: wish.lease.inputTokens, outputTokens: wish.leastOutputTokens };
  const budgets = [
    {
      code: 'daily_spend_limit_reached',
      used: spendOf(used.today),
      held: spendOf(held.today),
      least: spendOf(least),
      limit: limits.spendPerDay,
      resetsAt: endOfDay(wish.lease.day),
    },
    {
      code: 'daily_limit_reached',
      used: tokensOf(used.today),
      held: tokensOf(held.today),
      least: tokensOf(least),
      limit: limits.tokensPerDay,
      resetsAt: endOfDay(wish.lease.day),
    },
    {
      code: 'weekly_limit_reached',
      used: tokensOf(used.week),
      held: tokensOf(held.week),
      least: tokensOf(least),
      limit: limits.tokensPerWeek,
      resetsAt: endOfWeek(wish.lease.day),
    },
  ] as const;
  const spent = budgets.find((budget) => budget.used + budget.least > budget.limit);
  if (spent) return new Refusal(spent.code, untilReset(spent.resetsAt, now));
  return budgets.some((budget) => budget.used + budget.held + budget.least > budget.limit) ? underWay() : undefined;
}

function isFull({ installation }: ChatStanding, { capacity }: ChatCeilings): boolean {
  return capacity.maxConcurrent !== null && installation.running >= capacity.maxConcurrent;
}

function ofCapacity(
  { installation }: ChatStanding,
  wish: ChatWish,
  { capacity }: ChatCeilings,
  now: number,
): Refusal | undefined {
  const leastTokens = wish.lease.inputTokens + wish.leastOutputTokens;
  if (
    capacity.dailyTokens === null ||
    installation.usedToday + installation.heldToday + leastTokens <= capacity.dailyTokens
  )
    return undefined;
  const isSpent = installation.usedToday + leastTokens > capacity.dailyTokens;
  return isSpent ? new Refusal('daily_capacity_reached', untilReset(endOfDay(wish.lease.day), now)) : overloaded();
}

function underWay(): Refusal {
  return new Refusal('concurrent_limit_reached', { retryAfterSeconds: 1 });
}

function overloaded(): Refusal {
  return new Refusal('server_overloaded', { retryAfterSeconds: overloadedRetrySeconds });
}

function untilReset(resetsAt: number, now: number) {
  return { retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now) / 1000)), shouldRetry: false } as const;
}
