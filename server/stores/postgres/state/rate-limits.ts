import type { Admission, Admitted } from '#server/domain/ports/admission.ts';
import {
  maxBookedWindowMs,
  type BookedPlace,
  type Bucket,
  type BucketState,
  type Decision,
  type RateLimits,
} from '#server/domain/ports/rate-limits.ts';
import { slotLeaseMs, type RequestSlot, type WantedSlot } from '#server/domain/ports/slots.ts';
import type { StateDatabase } from './database.ts';

/** One request, and what it waits for. */
interface Request {
  readonly now: number;
  readonly slot: RequestSlot | undefined;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that take the same amounts from the same counters, and slots of the same key. */
interface Waiting {
  readonly buckets: readonly Bucket[];
  /** How many slots there are. */
  readonly slotLimit: number;
  readonly requests: Request[];
}

/** How many requests a statement allowed at once and later, its counters, and how many of the requests have a slot. */
type CountedRow = readonly [
  granted: number,
  places: number,
  used: readonly number[] | null,
  endsAt: readonly number[] | null,
  blockedUntil: readonly number[] | null,
  slotsTaken: number,
];

/** Counters after a statement. */
interface Counted {
  readonly granted: number;
  /** Requests behind these, each with a place in the next window. */
  readonly places: number;
  readonly used: readonly number[];
  readonly endsAt: readonly number[];
  readonly blockedUntil: readonly number[];
  readonly slotsTaken: number;
}

/** Ended counters are removed this often, and this many at once. One with booked places is not over at its end. */
const sweepEveryMs = 60_000;
const sweepRows = 10_000;

/**
 * Counts requests in rows, exactly over all replicas. A window begins with its first request. Each request takes one
 * statement, also if it needs a slot. Requests for the same counters that come while a statement runs share the next
 * one, so that a busy counter does not need a statement for each. Counts begin anew after a failover of the database,
 * and blocks stay.
 */
export class PostgresRateLimits implements RateLimits, Admission {
  readonly #database: StateDatabase;
  readonly #owner: () => string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Set<string>();
  #sweptAt = -Infinity;

  /** @param owner returns the id of this replica, which holds the slots */
  constructor(database: StateDatabase, owner: () => string) {
    this.#database = database;
    this.#owner = owner;
  }

  async take(buckets: readonly Bucket[], now: number): Promise<Decision> {
    const { hasSlot: _, ...decision } = await this.admit(buckets, undefined, now);
    return decision;
  }

  admit(buckets: readonly Bucket[], wanted: WantedSlot | undefined, now: number): Promise<Admitted> {
    this.#sweepSometimes(now);
    if (buckets.length === 0 && !wanted)
      return Promise.resolve({ isAllowed: true, states: [], retryAfterMs: 0, hasSlot: true });
    const slotLimit = wanted?.limit ?? 0;
    const name = JSON.stringify([buckets, wanted?.slot.key, slotLimit]);
    const waiting = this.#waiting.get(name) ?? { buckets, slotLimit, requests: [] };
    this.#waiting.set(name, waiting);
    const { promise, resolve, reject } = Promise.withResolvers<Admitted>();
    waiting.requests.push({ now, slot: wanted?.slot, resolve, reject });
    // Other requests of this turn join.
    if (!this.#running.has(name)) {
      this.#running.add(name);
      queueMicrotask(() => void this.#countAll(name));
    }
    return promise;
  }

  async giveBack({ key, beginsAt }: BookedPlace, now: number): Promise<void> {
    if (beginsAt > now)
      await this.#database.run('UPDATE rates SET booked = booked - 1 WHERE key = $1 AND ends_at = $2 AND booked > 0', [
        key,
        beginsAt,
      ]);
  }

  async blockedMs(key: string, now: number): Promise<number> {
    const [row] = await this.#database.read<[number]>('SELECT blocked_until FROM limit_windows WHERE key = $1', [key]);
    return Math.max(0, (row?.[0] ?? 0) - now);
  }

  /** Counts the requests that wait, and those that come meanwhile, until none is left. */
  async #countAll(name: string): Promise<void> {
    for (let waiting = this.#waiting.get(name); waiting; waiting = this.#waiting.get(name)) {
      this.#waiting.delete(name);
      try {
        await this.#count(waiting);
      } catch (error) {
        for (const { reject } of waiting.requests) reject(error);
      }
    }
    this.#running.delete(name);
  }

  async #count(waiting: Waiting): Promise<void> {
    const { buckets, requests } = waiting;
    const now = Math.max(...requests.map((request) => request.now));
    const counted = await this.#takeRows(waiting, now);
    for (const [index, { slot, resolve }] of requests.entries()) {
      const later = Math.max(0, counted.granted - 1 - index);
      const isNow = index < counted.granted;
      const isLater = !isNow && index < counted.granted + counted.places;
      const booked = isLater && { booked: { key: buckets[0]!.key, beginsAt: counted.endsAt[0]! } };
      const decision = decisionOf(buckets, counted, { isAllowed: isNow || isLater, later, now });
      resolve({ ...decision, ...booked, hasSlot: isNow && (!slot || index < counted.slotsTaken) });
    }
  }

  async #takeRows({ buckets, slotLimit, requests }: Waiting, now: number): Promise<Counted> {
    // The same order everywhere, so that two statements never wait for each other.
    const sorted = buckets.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    if (new Set(sorted.map(({ key }) => key)).size < sorted.length)
      throw new Error(`A request counts twice in one counter: ${sorted.map(({ key }) => key).join(', ')}.`);
    const counters = [
      sorted.map(({ key }) => key),
      sorted.map(({ limit }) => limit),
      sorted.map(({ windowMs }) => windowMs),
      sorted.map(({ cost }) => cost),
      sorted.map(({ blockMs }) => blockMs ?? null),
      sorted[0]?.maxWaiting ?? 0,
    ];
    const key = requests[0]!.slot?.key;
    const rows =
      key === undefined
        ? await this.#database.run<CountedRow>(takePlaces, [now, requests.length, ...counters])
        : await this.#database.run<CountedRow>(admitPlaces, [
            ...[now, ...counters, key, slotLimit],
            ...[requests.map(({ slot }) => slot!.id), slotLeaseMs, this.#owner()],
          ]);
    const [granted, places, used, endsAt, blockedUntil, slotsTaken] = rows[0]!;
    const inOrder = (values: readonly number[] | null) => buckets.map((bucket) => values![sorted.indexOf(bucket)]!);
    return {
      granted,
      places,
      used: inOrder(used),
      endsAt: inOrder(endsAt),
      blockedUntil: inOrder(blockedUntil),
      slotsTaken,
    };
  }

  /** Removes ended counters now and then. Each replica does, and what one of them misses another finds. */
  #sweepSometimes(now: number): void {
    if (Math.abs(now - this.#sweptAt) < sweepEveryMs) return;
    this.#sweptAt = now;
    const ended = `(SELECT key FROM rates WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
    const sweeping = [
      this.#database.run(`DELETE FROM rates WHERE key = ANY (ARRAY${ended}) AND ends_at <= $1`, [
        now - maxBookedWindowMs,
        sweepRows,
      ]),
      this.#database.run('DELETE FROM limit_windows WHERE ends_at <= $1 AND blocked_until <= $1', [now]),
    ];
    // What could not be removed is removed by a later sweep.
    for (const one of sweeping) one.catch(() => {});
  }
}

const takePlaces = `SELECT granted, places, used, ends_at, blocked_until, 0
  FROM take_places($1, $2, $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8)`;

const admitPlaces = `SELECT granted, places, used, ends_at, blocked_until, slots_taken
  FROM admit_places($1, $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7,
    $8, $9, $10::text[], $11, $12)`;

/** @param later requests of the same statement that were allowed after this one */
function decisionOf(
  buckets: readonly Bucket[],
  { used, endsAt, blockedUntil }: Counted,
  { isAllowed, later, now }: { readonly isAllowed: boolean; readonly later: number; readonly now: number },
): Decision {
  const states = buckets.map((bucket, index): BucketState => {
    const isBlocked = !isAllowed && blockedUntil[index]! > now;
    return {
      bucket,
      remaining: isBlocked ? 0 : Math.max(0, bucket.limit - used[index]! + later * bucket.cost),
      resetMs: Math.max(0, (isBlocked ? blockedUntil[index]! : endsAt[index]!) - now),
    };
  });
  const exceeded = states.filter(
    ({ bucket }, index) => blockedUntil[index]! > now || used[index]! + bucket.cost > bucket.limit,
  );
  return {
    isAllowed,
    states,
    retryAfterMs: isAllowed ? 0 : Math.max(0, ...exceeded.map(({ resetMs }) => resetMs)),
  };
}
