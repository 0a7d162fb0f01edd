import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { OperationPolicy, RateLimitPolicy } from '#generated/policies.ts';
import type { Account } from '#server/domain/account/account.ts';
import { failedCredentials, maxS3WritesAtOnce } from '#server/domain/limits.ts';
import { accountRequestsPerMinute, s3RequestsPerWindow, s3WindowMs } from '#server/domain/plan.ts';
import type { Bucket, BucketState, Decision, RateLimits, Slots } from '#server/domain/ports/rate-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Who is counted. */
export interface Counted {
  readonly account: Account | undefined;
  /** The account that is counted: the caller's, or the one whose link is followed; undefined when the link opens nothing. */
  readonly ownerId: string | undefined;
  /** The client's address as it is counted: an IPv4 address or an IPv6 /64. */
  readonly address: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Files that the request names. */
  readonly files: number;
}

const minuteMs = 60_000;

/** Addresses that come while too many are counted already share so many counters of each limit. */
const sharedCounters = 256;

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function tooMany(retryAfterMs: number, detail: string): Refusal {
  const retryAfterSeconds = seconds(retryAfterMs);
  return new Refusal('RATE_LIMITED', { retryAfterSeconds, detail: `${detail} It is over in ${retryAfterSeconds} s.` });
}

const blockedAddress = `This address sent more than ${failedCredentials.limit} wrong credentials in ${failedCredentials.windowMs / 1000} s and is blocked.`;

/** Names the limit that refuses, by the name that `RateLimit` gives it: of several the one that lasts longest. */
function exceeded({ states, retryAfterMs }: Decision): Refusal {
  const refusing = states.filter(({ bucket, remaining }) => remaining < Math.max(1, bucket.cost));
  const { bucket } = refusing.find(({ resetMs }) => resetMs === retryAfterMs) ?? refusing[0] ?? states[0]!;
  return tooMany(retryAfterMs, `The limit "${bucket.name}" takes ${bucket.limit} in ${bucket.windowMs / 1000} s.`);
}

/** Everything about rates that a request meets on its way to a handler. With limits switched off it lets all pass. */
export class RequestLimits {
  readonly #rates: RateLimits;
  readonly #slots: Slots;
  readonly #isOn: boolean;

  constructor(rates: RateLimits, slots: Slots, isOn: boolean) {
    this.#rates = rates;
    this.#slots = slots;
    this.#isOn = isOn;
  }

  /** @throws RATE_LIMITED while the address is blocked for its failed credentials */
  async refuseBlocked(address: string): Promise<void> {
    if (!this.#isOn) return;
    const blockedMs = await this.#rates.blockedMs(failuresOf(address));
    if (blockedMs > 0) throw tooMany(blockedMs, blockedAddress);
  }

  /** Counts a failed credential. @throws RATE_LIMITED when that was one too many */
  async countFailure(address: string): Promise<void> {
    if (!this.#isOn) return;
    const bucket = {
      key: failuresOf(address),
      name: 'failed-credentials',
      cost: 1,
      ...failedCredentials,
      ...shared('failed-credentials', address),
    };
    const { isAllowed, retryAfterMs } = await this.#rates.take([bucket]);
    if (!isAllowed) throw tooMany(retryAfterMs, blockedAddress);
  }

  /**
   * Counts the request against all limits of its operation, and says in the headers what is left. What it answers counts it
   * against those that count only what no cache holds, and throws as it does.
   *
   * @throws RATE_LIMITED
   */
  async count(res: ServerResponse, policy: OperationPolicy, counted: Counted): Promise<() => Promise<void>> {
    if (!this.#isOn) return async () => {};
    const buckets = bucketsOf(policy, counted);
    if (buckets.length === 0) return async () => {};
    const decision = await this.#rates.take(buckets);
    announce(res, decision.states);
    if (!decision.isAllowed) throw exceeded(decision);
    return () => this.#countMiss(res, decision.states);
  }

  async #countMiss(res: ServerResponse, before: readonly BucketState[]): Promise<void> {
    const waiting = before.filter(({ bucket }) => bucket.cost === 0).map(({ bucket }) => ({ ...bucket, cost: 1 }));
    const decision = await this.#rates.take(waiting);
    announce(
      res,
      before.map((state) => decision.states.find(({ bucket }) => bucket.key === state.bucket.key) ?? state),
    );
    if (!decision.isAllowed) throw exceeded(decision);
  }

  /**
   * Counts a request to the S3 gateway, which no other limit counts, and says in the headers what is left.
   *
   * @throws RATE_LIMITED
   */
  async countS3(res: ServerResponse, { id, plan }: Account): Promise<void> {
    if (!this.#isOn) return;
    const decision = await this.#rates.take([
      { key: `s3:${id}`, name: 's3', limit: s3RequestsPerWindow[plan], windowMs: s3WindowMs, cost: 1 },
    ]);
    announce(res, decision.states);
    if (!decision.isAllowed) throw exceeded(decision);
  }

  /**
   * Takes one of the places that an account has for bytes that come over S3; the answer gives it back.
   *
   * @throws RATE_LIMITED, which S3 calls SlowDown
   */
  async enterS3({ id }: Pick<Account, 'id'>): Promise<() => void> {
    if (!this.#isOn) return () => {};
    const leave = await this.#slots.acquire(`s3-writes:${id}`, maxS3WritesAtOnce);
    if (!leave)
      throw new Refusal('RATE_LIMITED', {
        retryAfterSeconds: 1,
        message: `The account sends ${maxS3WritesAtOnce} files and parts at once already, which is the most. Wait until one has ended, then try again.`,
      });
    return leave;
  }

  /**
   * Takes one of the places that an account has for this operation at once; the answer gives it back.
   *
   * @throws the code that the policy names
   */
  async enter({ concurrency }: OperationPolicy, account: Account | undefined): Promise<() => void> {
    if (!this.#isOn || !concurrency || !account) return () => {};
    const leave = await this.#slots.acquire(`${concurrency.name}:${account.id}`, concurrency.limit);
    if (!leave) throw new Refusal(concurrency.code, { retryAfterSeconds: 1 });
    return leave;
  }
}

function failuresOf(address: string): string {
  return `failed-credentials:${address}`;
}

function bucketsOf(policy: OperationPolicy, counted: Counted): Bucket[] {
  const { account } = counted;
  const own = policy.rateLimits
    // The operation itself counts those, in one transaction with its work.
    .filter(({ on }) => on !== 'deploy')
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
  const { files } = counted;
  return {
    ...countedAs(limit, counted),
    name: limit.name,
    limit: limit.limit,
    windowMs: limit.windowSeconds * 1000,
    ...(limit.blockSeconds !== undefined && { blockMs: limit.blockSeconds * 1000 }),
    cost: costOf(limit, files),
  };
}

function costOf({ on, counts, limit }: RateLimitPolicy, files: number): number {
  // Until it is known whether a cache holds the answer.
  if (on === 'cache-miss') return 0;
  // More files than the limit would be refused for ever: let them through once, to be told that they are too many.
  return counts === 'files' ? Math.min(Math.max(1, files), limit) : 1;
}

/**
 * The counter's key, which is short whatever the client sent. Values of a path parameter have counters of their own only
 * where they open something: what is made up is counted for its sender alone, or every guess would take memory.
 */
function countedAs(
  { name, per, each }: RateLimitPolicy,
  { ownerId, address, pathParameters }: Counted,
): Pick<Bucket, 'key' | 'overflowKey'> {
  const value = pathParameters[each ?? per];
  if (value !== undefined && ownerId === undefined)
    return { key: `${name}:${address}:unknown`, ...shared(name, address) };
  const whose = { account: ownerId, address }[per];
  const key = [name, whose, value === undefined ? undefined : digest(value)]
    .filter((part) => part !== undefined)
    .join(':');
  return { key, ...(per === 'address' && shared(name, address)) };
}

function shared(name: string, address: string): Pick<Bucket, 'overflowKey'> {
  return {
    overflowKey: `${name}:shared:${createHash('sha256').update(address).digest().readUInt32BE() % sharedCounters}`,
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Says what is left of the limits that an operation counts itself. */
export function announceOwn(
  res: ServerResponse,
  { rateLimits }: OperationPolicy,
  { remaining, resetMs }: Pick<BucketState, 'remaining' | 'resetMs'>,
): void {
  const own = rateLimits.filter(({ on }) => on === 'deploy');
  announce(
    res,
    own.map(({ name, limit, windowSeconds }) => ({
      bucket: { name, limit, windowMs: windowSeconds * 1000 },
      remaining,
      resetMs,
    })),
  );
}

/** Lists of structured-field strings with parameters. @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11 */
function announce(
  res: ServerResponse,
  states: ReadonlyArray<
    Pick<BucketState, 'remaining' | 'resetMs'> & { readonly bucket: Pick<Bucket, 'name' | 'limit' | 'windowMs'> }
  >,
): void {
  const left = states.map(({ bucket, remaining, resetMs }) => `"${bucket.name}";r=${remaining};t=${seconds(resetMs)}`);
  const rules = states.map(({ bucket }) => `"${bucket.name}";q=${bucket.limit};w=${bucket.windowMs / 1000}`);
  res.setHeader('RateLimit', left.join(', '));
  res.setHeader('RateLimit-Policy', rules.join(', '));
}
