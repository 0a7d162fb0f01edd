import type { Bucket, BucketState, Decision, RateLimits } from '#server/domain/ports/rate-limits.ts';
import type { StateDatabase } from './database.ts';

/** Requests that take the same amounts from the same counters. One statement counts all of them. */
interface Waiting {
  readonly buckets: readonly Bucket[];
  readonly requests: Array<{ readonly now: number; readonly resolve: (decision: Decision) => void }>;
  readonly fail: Array<(error: unknown) => void>;
}

/** A counter after a statement: how many requests it allowed, and the counter's columns. */
type CountedRow = readonly [granted: number, used: number, endsAt: number, blockedUntil: number];

/** Counters after a statement. */
interface Counted {
  readonly granted: number;
  readonly used: readonly number[];
  readonly endsAt: readonly number[];
  readonly blockedUntil: readonly number[];
}

/** Ended counters are removed this often, and this many at once. */
const sweepEveryMs = 60_000;
const sweepRows = 10_000;

/**
 * Counts requests in rows, exactly over all replicas. A window begins with its first request. Each request takes one
 * statement. Requests for the same counters that come while a statement runs share the next one, so that a busy counter
 * does not need a statement for each. Counts begin anew after a failover of the database, and blocks stay.
 */
export class PostgresRateLimits implements RateLimits {
  readonly #database: StateDatabase;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Set<string>();
  #sweptAt = -Infinity;

  constructor(database: StateDatabase) {
    this.#database = database;
  }

  take(buckets: readonly Bucket[], now: number): Promise<Decision> {
    this.#sweepSometimes(now);
    if (buckets.length === 0) return Promise.resolve({ isAllowed: true, states: [], retryAfterMs: 0 });
    const name = JSON.stringify(buckets);
    const waiting = this.#waiting.get(name) ?? { buckets, requests: [], fail: [] };
    this.#waiting.set(name, waiting);
    const decision = new Promise<Decision>((resolve, reject) => {
      waiting.requests.push({ now, resolve });
      waiting.fail.push(reject);
    });
    // Other requests of this turn join.
    if (!this.#running.has(name)) {
      this.#running.add(name);
      queueMicrotask(() => void this.#countAll(name));
    }
    return decision;
  }

  async blockedMs(key: string, now: number): Promise<number> {
    const [row] = await this.#database.run<[number]>('SELECT blocked_until FROM limit_windows WHERE key = $1', [key]);
    return Math.max(0, (row?.[0] ?? 0) - now);
  }

  /** Counts the requests that wait, and those that come meanwhile, until none is left. */
  async #countAll(name: string): Promise<void> {
    for (let waiting = this.#waiting.get(name); waiting; waiting = this.#waiting.get(name)) {
      this.#waiting.delete(name);
      try {
        await this.#count(waiting);
      } catch (error) {
        for (const fail of waiting.fail) fail(error);
      }
    }
    this.#running.delete(name);
  }

  async #count({ buckets, requests }: Waiting): Promise<void> {
    const now = Math.max(...requests.map((request) => request.now));
    const counted = await this.#takeRows(buckets, requests.length, now);
    for (const [index, { resolve }] of requests.entries()) {
      const later = Math.max(0, counted.granted - 1 - index);
      resolve(decisionOf(buckets, counted, { isAllowed: index < counted.granted, later, now }));
    }
  }

  /** @param times how many requests take from the buckets */
  async #takeRows(buckets: readonly Bucket[], times: number, now: number): Promise<Counted> {
    // The same order everywhere, so that two statements never wait for each other.
    const sorted = buckets.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    if (new Set(sorted.map(({ key }) => key)).size < sorted.length)
      throw new Error(`A request counts twice in one counter: ${sorted.map(({ key }) => key).join(', ')}.`);
    const rows = await this.#database.run<CountedRow>(
      `SELECT granted, unnest(used), unnest(ends_at), unnest(blocked_until)
       FROM take_rates($1, $2, $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])`,
      [
        now,
        times,
        sorted.map(({ key }) => key),
        sorted.map(({ limit }) => limit),
        sorted.map(({ windowMs }) => windowMs),
        sorted.map(({ cost }) => cost),
        sorted.map(({ blockMs }) => blockMs ?? null),
      ],
    );
    const inOrder = buckets.map((bucket) => rows[sorted.indexOf(bucket)]!);
    return {
      granted: inOrder[0]![0],
      used: inOrder.map((row) => row[1]),
      endsAt: inOrder.map((row) => row[2]),
      blockedUntil: inOrder.map((row) => row[3]),
    };
  }

  /** Removes ended counters now and then. Each replica does, and what one of them misses another finds. */
  #sweepSometimes(now: number): void {
    if (Math.abs(now - this.#sweptAt) < sweepEveryMs) return;
    this.#sweptAt = now;
    const ended = `(SELECT key FROM rates WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
    const sweeping = [
      this.#database.run(`DELETE FROM rates WHERE key = ANY (ARRAY${ended}) AND ends_at <= $1`, [now, sweepRows]),
      this.#database.run('DELETE FROM limit_windows WHERE ends_at <= $1 AND blocked_until <= $1', [now]),
    ];
    // What could not be removed is removed by a later sweep.
    for (const one of sweeping) one.catch(() => {});
  }
}

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
