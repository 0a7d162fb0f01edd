import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { failedCredentials } from '#server/domain/limits.ts';
import type { Bucket, BucketState, Decision, RateLimits, Slots } from '#server/domain/ports/rate-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';

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

/** One of the places that an account has for something at once. */
export interface Place {
  /** Names the places, with the account that has them. */
  readonly key: string;
  /** How many there are. */
  readonly limit: number;
  /** What is thrown when all are taken. */
  readonly refusal: () => Refusal;
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
      ...sharedCounter('failed-credentials', address),
    };
    const { isAllowed, retryAfterMs } = await this.#rates.take([bucket]);
    if (!isAllowed) throw tooMany(retryAfterMs, blockedAddress);
  }

  /**
   * Counts the request in all buckets, and says in the headers what is left.
   *
   * @returns a function that counts it in those that count only what no cache holds, and throws like this one
   * @throws RATE_LIMITED
   */
  async count(res: ServerResponse, buckets: readonly Bucket[]): Promise<() => Promise<void>> {
    if (!this.#isOn || buckets.length === 0) return async () => {};
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
   * Takes a place; the function that it returns gives it back.
   *
   * @throws what the place says
   */
  async enter(place: Place | undefined): Promise<() => void> {
    if (!this.#isOn || !place) return () => {};
    const leave = await this.#slots.acquire(place.key, place.limit);
    if (!leave) throw place.refusal();
    return leave;
  }
}

function failuresOf(address: string): string {
  return `failed-credentials:${address}`;
}

/** The counter that an address shares with others once too many are counted. */
export function sharedCounter(name: string, address: string): Pick<Bucket, 'overflowKey'> {
  const one = createHash('sha256').update(address).digest().readUInt32BE() % sharedCounters;
  return { overflowKey: `${name}:shared:${one}` };
}

/** What is left of a limit. */
export interface Announced extends Pick<BucketState, 'remaining' | 'resetMs'> {
  readonly bucket: Pick<Bucket, 'name' | 'limit' | 'windowMs'>;
}

/**
 * Says in the headers what is left, as lists of structured-field strings with parameters.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11
 */
export function announce(res: ServerResponse, states: readonly Announced[]): void {
  const left = states.map(({ bucket, remaining, resetMs }) => `"${bucket.name}";r=${remaining};t=${seconds(resetMs)}`);
  const rules = states.map(({ bucket }) => `"${bucket.name}";q=${bucket.limit};w=${bucket.windowMs / 1000}`);
  res.setHeader('RateLimit', left.join(', '));
  res.setHeader('RateLimit-Policy', rules.join(', '));
}
