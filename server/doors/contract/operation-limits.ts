import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { OperationPolicy, RateLimitPolicy } from '#server/pipeline/operation-policy.ts';
import type { Account } from '#server/domain/account/account.ts';
import { accountRequestsPerMinute } from '#server/domain/plan.ts';
import type { Bucket, BucketState } from '#server/domain/ports/rate-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { announcerBehind, sharedCounter, type Announced, type Slot } from '#server/pipeline/request-limits.ts';

/** The facts of a request that decide on which counters it counts. */
export interface Counted {
  readonly account: Account | undefined;
  /**
   * The account that is counted: the caller's, or the owner of the followed link. Undefined when the link opens
   * nothing.
   */
  readonly ownerId: string | undefined;
  /** The client's address as it is counted: an IPv4 address or an IPv6 /64. */
  readonly address: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** How many files the request names. */
  readonly files: number;
}

const minuteMs = 60_000;

/** Returns the buckets of all limits that the contract gives an operation. */
export function bucketsOf(policy: OperationPolicy, counted: Counted): Bucket[] {
  const { account } = counted;
  const own = policy.rateLimits
    // The operation counts these itself, in the same transaction as its work.
    .filter(({ on }) => on !== 'operation')
    .filter((limit) => limit.per !== 'account' || counted.ownerId !== undefined)
    .filter((limit) => !(account && limit.exempt?.includes(account.plan)))
    .map((limit) => bucketOf(limit, counted));
  if (!account || !policy.countsForAccount) return own;
  const all = {
    key: `account:${account.id}`,
    name: 'account',
    limit: accountRequestsPerMinute[account.plan],
    windowMs: minuteMs,
    blockMs: minuteMs,
    cost: 1,
  };
  return [...own, all];
}

function bucketOf(limit: RateLimitPolicy, counted: Counted): Bucket {
  return {
    ...countedAs(limit, counted),
    name: limit.name,
    limit: limit.limit,
    windowMs: limit.windowSeconds * 1000,
    ...(limit.blockSeconds !== undefined && { blockMs: limit.blockSeconds * 1000 }),
    cost: costOf(limit, counted.files),
  };
}

function costOf({ on, counts, limit }: RateLimitPolicy, files: number): number {
  // It costs nothing until it is known whether a cache holds the response.
  if (on === 'cache-miss') return 0;
  // A cost above the limit would be rejected forever. Such a request passes once, and is then told that it names too
  // many files.
  return counts === 'files' ? Math.min(Math.max(1, files), limit) : 1;
}

/**
 * Returns the counter's key, which is short whatever the client sent. A value of a path parameter has a counter of its
 * own only if it opens something. Made-up values count for their sender alone, because each guess would take memory.
 */
function countedAs(
  { name, per, each }: RateLimitPolicy,
  { ownerId, address, pathParameters }: Counted,
): Pick<Bucket, 'key' | 'overflowKey'> {
  const value = pathParameters[each ?? per];
  if (value !== undefined && ownerId === undefined) {
    return { key: `${name}:${address}:unknown`, ...sharedCounter(name, address) };
  }
  const whose = { account: ownerId, address }[per];
  const parts = [name, whose, value === undefined ? undefined : digest(value)];
  const key = parts.filter((part) => part !== undefined).join(':');
  return { key, ...(per === 'address' && sharedCounter(name, address)) };
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/**
 * Returns the slot that a body takes among those of its account that are under way. Undefined without an account,
 * without a body, or when the contract sets no bound.
 */
export function slotOf({ concurrency }: OperationPolicy, { ownerId }: Pick<Counted, 'ownerId'>, hasBody: boolean) {
  if (!concurrency || ownerId === undefined || !hasBody) return undefined;
  const { name, limit, code } = concurrency;
  const slot: Slot = { key: `${name}:${ownerId}`, limit, refusal: () => new Refusal(code) };
  return slot;
}

/** Returns the state of the limits that an operation counts itself, for the response headers. */
export function ownLimits(
  { rateLimits }: OperationPolicy,
  left: Pick<BucketState, 'remaining' | 'resetMs'> & { readonly limit?: number },
): Announced[] {
  return rateLimits
    .filter(({ on }) => on === 'operation')
    .map(({ name, limit, windowSeconds }) => ({
      bucket: { name, limit: left.limit ?? limit, windowMs: windowSeconds * 1000 },
      remaining: left.remaining,
      resetMs: left.resetMs,
    }));
}

/** Returns the function that announces the budgets of an operation behind its other limits. */
export function announcingBudgets(res: ServerResponse): Call['announceBudgets'] {
  const announce = announcerBehind(res);
  return (budgets, headers) =>
    announce(
      budgets.map(({ name, limit, windowMs, remaining, resetMs }) => ({
        bucket: { name, limit, windowMs },
        remaining,
        resetMs,
      })),
      headers,
    );
}
