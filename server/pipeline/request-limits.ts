import { hash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { failedCredentials } from '#server/domain/limits.ts';
import type { Admission } from '#server/domain/ports/admission.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { BookedPlace, Bucket, BucketState, Decision, RateLimits } from '#server/domain/ports/rate-limits.ts';
import { slotLeaseMs, type RequestSlot, type Slots, type WantedSlot } from '#server/domain/ports/slots.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { setHeaders } from '#server/http/wire-headers.ts';
import { longestWaitMs, WaitingQueue, type WaitObserver } from './waiting-queue.ts';

/** While too many addresses are counted, new ones share this many counters of each limit. */
const sharedCounters = 256;

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function tooMany(retryAfterMs: number, detail: string): Refusal {
  const retryAfterSeconds = seconds(retryAfterMs);
  return new Refusal('RATE_LIMITED', { retryAfterSeconds, detail: `${detail} It is over in ${retryAfterSeconds} s.` });
}

const { limit: maxFailures, windowMs: failuresWindowMs } = failedCredentials;
const blockedAddress =
  `This address sent more than ${maxFailures} wrong credentials in ${failuresWindowMs / 1000} s ` + 'and is blocked.';

/** Names the exceeded limit as in the `RateLimit` header. Of several, it is the one that lasts longest. */
function exceeded({ states, retryAfterMs }: Decision): Refusal {
  const refusing = states.filter(({ bucket, remaining }) => remaining < Math.max(1, bucket.cost));
  const { bucket } = refusing.find(({ resetMs }) => resetMs === retryAfterMs) ?? refusing[0] ?? states[0]!;
  return tooMany(retryAfterMs, `The limit "${bucket.name}" takes ${bucket.limit} in ${bucket.windowMs / 1000} s.`);
}

/** One of an account's slots for simultaneous requests of a kind. */
export interface Slot {
  /** Names the kind and the account. */
  readonly key: string;
  /** The number of slots. */
  readonly limit: number;
  /** How many requests may wait for one. Default 0. */
  readonly maxWaiting?: number;
  /** Creates the error for when all slots are taken. */
  readonly refusal: () => Refusal;
}

/** A slot outlives two failed renewals. */
const renewEveryMs = slotLeaseMs / 3;

/** A failed renewal is tried again by the next one. A slot that could not be released expires. */
function untilNext(): void {}

/** Receives what happens at the limits, for counters. */
interface LimitObserver extends WaitObserver {
  /** A slot was taken (1) or given back (-1). `kind` is the part of its key before the account. */
  slotChanged(kind: string, change: 1 | -1): void;
}

const noObserver: LimitObserver = { slotChanged() {}, waitBegun() {}, waitEnded() {}, waitRefused() {} };

/** What a request needs from the limits. */
interface NeededOfLimits {
  readonly buckets?: readonly Bucket[];
  readonly slot?: Slot | undefined;
}

interface LimitStores {
  readonly rates: RateLimits;
  readonly slots: Slots;
  /** Both in one step. */
  readonly admission: Admission;
  readonly clock: Clock;
}

/** A request within its limits. */
interface AdmittedRequest {
  /** Charges the limits that count cache misses. @throws RATE_LIMITED */
  readonly countMiss: () => Promise<void>;
  /** Releases its slot. May be called twice. */
  readonly leave: () => void;
  /** How long it waited for its turn. */
  readonly waitedMs: number;
}

/** Checks the rate limits and slots of requests. With limits switched off it accepts all. */
export class RequestLimits {
  readonly #rates: RateLimits;
  readonly #slots: Slots;
  readonly #admission: Admission;
  readonly #clock: Clock;
  readonly #isOn: boolean;
  readonly #observer: LimitObserver;
  readonly #waitingQueue: WaitingQueue;

  constructor(
    { rates, slots, admission, clock }: LimitStores,
    isOn: boolean,
    observer: LimitObserver = noObserver,
    maxWaiting?: number,
  ) {
    this.#rates = rates;
    this.#slots = slots;
    this.#admission = admission;
    this.#clock = clock;
    this.#isOn = isOn;
    this.#observer = observer;
    this.#waitingQueue = new WaitingQueue(observer, maxWaiting);
  }

  /** Refuses the requests that wait, and gives their places back. From now on none waits. */
  beginStop(): void {
    this.#waitingQueue.stop();
  }

  /** @throws RATE_LIMITED while the address is blocked for its wrong credentials */
  async refuseBlocked(address: string): Promise<void> {
    if (!this.#isOn) return;
    const blockedMs = await this.#rates.blockedMs(failuresOf(address), this.#clock.now());
    if (blockedMs > 0) throw tooMany(blockedMs, blockedAddress);
  }

  /** Counts a wrong credential. @throws RATE_LIMITED when the address has sent too many */
  async countFailure(address: string): Promise<void> {
    if (!this.#isOn) return;
    const bucket = {
      key: failuresOf(address),
      name: 'failed-credentials',
      cost: 1,
      ...failedCredentials,
      ...sharedCounter('failed-credentials', address),
    };
    const { isAllowed, retryAfterMs } = await this.#rates.take([bucket], this.#clock.now());
    if (!isAllowed) throw tooMany(retryAfterMs, blockedAddress);
  }

  /**
   * Charges all limits for the request, announces the remainder in the headers, and takes a slot. If the limits allow
   * it, the request waits for both. The slot's lease is renewed until it is released.
   *
   * @param client returns a signal that is aborted when the client leaves
   * @throws RATE_LIMITED, and the slot's refusal if all slots are taken
   */
  async admit(
    res: ServerResponse,
    { buckets = [], slot }: NeededOfLimits,
    client: () => AbortSignal = stays,
  ): Promise<AdmittedRequest> {
    if (!this.#isOn || (buckets.length === 0 && !slot))
      return { countMiss: async () => {}, leave: () => {}, waitedMs: 0 };
    const since = performance.now();
    const wanted: WantedSlot | undefined = slot && { slot: { key: slot.key, id: randomUUID() }, limit: slot.limit };
    const admitted = await this.#admission.admit(buckets, wanted, this.#clock.now());
    const { states, booked, ...decision } = admitted;
    if (buckets.length > 0) announce(res, states);
    if (!decision.isAllowed) throw this.#refused(buckets, { states, ...decision });
    let { hasSlot } = admitted;
    if (booked) {
      await this.#waitForPlace(booked, buckets[0]!, client());
      ({ hasSlot } = await this.#admission.admit([], wanted, this.#clock.now()));
    }
    if (slot && !hasSlot) await this.#waitForSlot(slot, wanted!, longestWaitMs - (performance.now() - since), client);
    return {
      countMiss: async () => {
        if (buckets.length > 0) await this.#countMiss(res, states);
      },
      leave: wanted ? this.#renewed(wanted.slot) : () => {},
      waitedMs: booked || !admitted.hasSlot ? Math.round(performance.now() - since) : 0,
    };
  }

  #refused(buckets: readonly Bucket[], decision: Decision): Refusal {
    for (const { name, maxWaiting = 0 } of buckets) if (maxWaiting > 0) this.#waitingQueue.refuse(name);
    return exceeded(decision);
  }

  /** Waits until the window of a booked place begins. @throws RATE_LIMITED after giving the place back */
  async #waitForPlace(booked: BookedPlace, { name }: Bucket, client: AbortSignal): Promise<void> {
    const waitMs = booked.beginsAt - this.#clock.now();
    if (this.#waitingQueue.isClosed) this.#waitingQueue.refuse(name);
    else if (await this.#waitingQueue.wait(name, client, ({ sleep }) => sleep(waitMs))) return;
    await this.#rates.giveBack(booked, this.#clock.now()).catch(untilNext);
    client.throwIfAborted();
    throw noMoreWaiting(waitMs);
  }

  /** Waits for a slot. @throws the slot's refusal */
  async #waitForSlot(
    { maxWaiting = 0, refusal }: Slot,
    wanted: WantedSlot,
    withinMs: number,
    client: () => AbortSignal,
  ): Promise<void> {
    if (maxWaiting === 0) throw refusal();
    const kind = kindOf(wanted.slot);
    if (this.#waitingQueue.isClosed || withinMs <= 0) {
      this.#waitingQueue.refuse(kind);
      throw refusal();
    }
    const leaves = client();
    const hasSlot = await this.#waitingQueue.wait(kind, leaves, async ({ signal }) => {
      const outcome = await this.#slots.wait(wanted, { maxWaiting, withinMs, signal }, this.#clock.now());
      return outcome === 'taken';
    });
    if (hasSlot && !leaves.aborted) return;
    if (hasSlot) await this.#slots.release(wanted.slot, this.#clock.now()).catch(untilNext);
    leaves.throwIfAborted();
    throw refusal();
  }

  /** Renews the lease of a slot. Returns the function that releases it. */
  #renewed(slot: RequestSlot): () => void {
    const kind = kindOf(slot);
    this.#observer.slotChanged(kind, 1);
    const renewal = setInterval(
      () => this.#slots.renew(slot, this.#clock.now()).catch(untilNext),
      renewEveryMs,
    ).unref();
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#observer.slotChanged(kind, -1);
      clearInterval(renewal);
      this.#slots.release(slot, this.#clock.now()).catch(untilNext);
    };
  }

  async #countMiss(res: ServerResponse, before: readonly BucketState[]): Promise<void> {
    const waiting = before.filter(({ bucket }) => bucket.cost === 0).map(({ bucket }) => ({ ...bucket, cost: 1 }));
    const decision = await this.#rates.take(waiting, this.#clock.now());
    announce(
      res,
      before.map((state) => decision.states.find(({ bucket }) => bucket.key === state.bucket.key) ?? state),
    );
    if (!decision.isAllowed) throw exceeded(decision);
  }
}

function kindOf({ key }: RequestSlot): string {
  return key.slice(0, key.lastIndexOf(':'));
}

/** For a client that is not watched. */
const stays = (): AbortSignal => new AbortController().signal;

function noMoreWaiting(retryAfterMs: number): Refusal {
  return tooMany(retryAfterMs, 'The account sends more requests than its plan allows, and no more can wait here.');
}

function failuresOf(address: string): string {
  return `failed-credentials:${address}`;
}

/** Returns the counter that an address shares with others while too many are counted. */
export function sharedCounter(name: string, address: string): Pick<Bucket, 'overflowKey'> {
  const one = hash('sha256', address, 'buffer').readUInt32BE() % sharedCounters;
  return { overflowKey: `${name}:shared:${one}` };
}

/** The remainder of a limit. */
export interface Announced extends Pick<BucketState, 'remaining' | 'resetMs'> {
  readonly bucket: Pick<Bucket, 'name' | 'limit' | 'windowMs'>;
}

/**
 * Announces the remainder in the headers, as lists of structured-field strings with parameters.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11
 */
export function announce(res: ServerResponse, states: readonly Announced[]): void {
  setHeaders(res, announced(states));
}

/**
 * Returns a function that announces limits behind those of the route, which are announced before its first call. Each
 * call replaces the one before.
 */
export function announcerBehind(
  res: ServerResponse,
): (states: readonly Announced[], headers: Readonly<Record<string, string>>) => void {
  let before: Partial<Record<string, string>> | undefined;
  return (states, headers) => {
    if (res.headersSent || states.length === 0) return;
    before ??= announcedIn(res);
    for (const [name, value] of Object.entries(announced(states)))
      setHeaders(res, { [name]: before[name] === undefined ? value : `${before[name]}, ${value}` });
    setHeaders(res, headers);
  };
}

/** Returns the headers that were set before. */
function announcedIn(res: ServerResponse): Partial<Record<string, string>> {
  const set = ['RateLimit', 'RateLimit-Policy'].map((name) => [name, res.getHeader(name)] as const);
  return Object.fromEntries(set.filter((header): header is [string, string] => typeof header[1] === 'string'));
}

function announced(states: readonly Announced[]) {
  const left = states.map(({ bucket, remaining, resetMs }) => `"${bucket.name}";r=${remaining};t=${seconds(resetMs)}`);
  const rules = states.map(({ bucket }) => `"${bucket.name}";q=${bucket.limit};w=${bucket.windowMs / 1000}`);
  return { RateLimit: left.join(', '), 'RateLimit-Policy': rules.join(', ') };
}
