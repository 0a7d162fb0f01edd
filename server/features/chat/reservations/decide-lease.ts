import type { ChatLease } from './chat-lease.ts';
import { spendOf, tokensOf } from '../budgets/chat-quota.ts';
import { chatRefusal, grantedOutputTokens, type ChatLimits, type ChatTotals } from './chat-refusal.ts';
import type { ChatLeaseRequest, ChatRejection } from './chat-rejection.ts';
import { costBound, keyBoundsOf, type KeyBounds } from './key-refusal.ts';

/** A reservation, and the charges and reservations beside it. */
export interface ReservedChat {
  readonly lease: ChatLease;
  readonly totals: ChatTotals;
}

/** A rejection, and the charges and reservations that it follows from. Undefined when nothing was compared. */
export interface RejectedChat extends ChatRejection {
  readonly totals: ChatTotals | undefined;
}

/** Returns the lease of a request, with as much output as fits beside the totals, or the reason why it does not fit. */
export function decideLease(
  totals: ChatTotals,
  request: ChatLeaseRequest,
  limits: ChatLimits,
  now: number,
): ReservedChat | RejectedChat {
  const no = chatRefusal(totals, request, limits, now);
  if (no) return { ...no, totals };
  return { lease: { ...request.lease, outputTokens: grantedOutputTokens(totals, request, limits) }, totals };
}

/**
 * The largest totals beside which a request fits with all of its output. A store can compare them with its rows in one
 * statement. Null means no limit.
 */
export interface ChatBounds {
  readonly running: number;
  /** The latest start of another request, unless that one started after this request. */
  readonly lastStartedAt: number;
  /** Charged and reserved requests. */
  readonly requestsToday: number | null;
  /** Charged and reserved tokens. */
  readonly tokensToday: number;
  readonly tokensWeek: number;
  readonly spendToday: number;
  /** Null also when the request costs nothing. */
  readonly costToday: number | null;
  readonly installationRunning: number | null;
  readonly installationTokens: number | null;
  /** Null when the key has no limits. */
  readonly key: KeyBounds | null;
}

/** Returns the bounds of a request. It fits with all of its output if, and only if, the totals are within them. */
export function boundsOf({ lease }: ChatLeaseRequest, { quota, capacity, key }: ChatLimits): ChatBounds {
  const tokens = tokensOf(lease);
  return {
    running: quota.concurrent - 1,
    lastStartedAt: lease.startedAt - quota.pacingSeconds * 1000,
    requestsToday: quota.requestsPerDay === null ? null : quota.requestsPerDay - 1,
    tokensToday: quota.tokensPerDay - tokens,
    tokensWeek: quota.tokensPerWeek - tokens,
    spendToday: quota.spendPerDay - spendOf(lease),
    costToday: costBound(quota.costPerDay, lease),
    installationRunning: capacity.maxConcurrent === null ? null : capacity.maxConcurrent - 1,
    installationTokens: capacity.dailyTokens === null ? null : capacity.dailyTokens - tokens,
    key: key && keyBoundsOf(lease, key),
  };
}
