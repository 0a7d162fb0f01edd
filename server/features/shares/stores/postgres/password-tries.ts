import { randomUUID } from 'node:crypto';

import { passwordTries } from '../../limits.ts';
import type { CountedTry, PasswordTries, PasswordTry } from '#server/features/shares/password-tries.ts';
import {
  abandonTry,
  beginTry,
  succeedTry,
  type TryCounters,
  type TryDelay,
  type TryWindow,
} from '../../counted-tries.ts';
import type { RunStatement, StateDatabase } from '#server/stores/postgres/state/database.ts';

/** Forgotten counters are removed this often. */
const sweepEveryMs = 60_000;

/** Tries of passwords in rows, exact over all replicas. A try locks the rows of its counters while it is decided. */
export class PostgresPasswordTries implements PasswordTries {
  readonly #database: StateDatabase;
  #sweptAt = -Infinity;

  constructor(database: StateDatabase) {
    this.#database = database;
  }

  async begin(one: PasswordTry, now: number): Promise<CountedTry> {
    this.#sweepSometimes(now);
    return this.#change(one, (counters) => {
      const { counted, after } = beginTry(counters, one, now, randomUUID());
      return [after, counted];
    });
  }

  succeed(counted: CountedTry): Promise<void> {
    return this.#change(counted, (counters) => [succeedTry(counters, counted), undefined]);
  }

  abandon(counted: CountedTry): Promise<void> {
    return this.#change(counted, (counters) => [abandonTry(counters, counted), undefined]);
  }

  #change<T>(one: PasswordTry, decide: (counters: TryCounters) => readonly [TryCounters, T]): Promise<T> {
    return this.#database.transaction(async (run) => {
      const [after, result] = decide(await lockedCounters(run, one));
      await store(run, one, after);
      return result;
    });
  }

  #sweepSometimes(now: number): void {
    if (Math.abs(now - this.#sweptAt) < sweepEveryMs) return;
    this.#sweptAt = now;
    const forgotten = this.#database.run('DELETE FROM password_tries WHERE forgotten_at <= $1', [now]);
    // What could not be removed is removed by a later sweep.
    forgotten.catch(() => {});
  }
}

/** A counter: tries and the end of their window, or wrong tries, the end of their delay and their series. */
type CounterRow = readonly [key: string, count: number, until: number, series: string];

type Keys = Readonly<Record<keyof TryCounters, string>>;

function keysOf({ link, address }: PasswordTry): Keys {
  return {
    byLink: `link ${link}`,
    byAddress: `address ${address}`,
    checks: `checks ${address}`,
    checksAtLink: `checks ${link} ${address}`,
    delay: `delay ${link} ${address}`,
  };
}

/** Locks the rows of a try, and adds those that are missing. Sorted, so that two tries never wait for each other. */
async function lockedCounters(run: RunStatement, one: PasswordTry): Promise<TryCounters> {
  const keys = keysOf(one);
  const rows = await run<CounterRow>(
    `INSERT INTO password_tries AS kept SELECT key, 0, 0, '', 0 FROM unnest($1::text[]) AS one (key)
     ON CONFLICT (key) DO UPDATE SET count = kept.count RETURNING key, count, until, series`,
    [Object.values(keys).toSorted()],
  );
  const found = new Map(rows.map((row) => [row[0], row]));
  return {
    byLink: windowOf(found.get(keys.byLink)!),
    byAddress: windowOf(found.get(keys.byAddress)!),
    checks: windowOf(found.get(keys.checks)!),
    checksAtLink: windowOf(found.get(keys.checksAtLink)!),
    delay: delayOf(found.get(keys.delay)!),
  };
}

function windowOf([, tries, endsAt]: CounterRow): TryWindow {
  return { tries, endsAt };
}

/** A row without a series is new, or its series has ended. */
function delayOf([, wrong, until, series]: CounterRow): TryDelay | undefined {
  return series === '' ? undefined : { series, wrong, until };
}

async function store(run: RunStatement, one: PasswordTry, after: TryCounters): Promise<void> {
  const keys = keysOf(one);
  const { delay, ...windows } = after;
  const rows: Array<ReadonlyArray<string | number>> = Object.entries(windows).map(([name, window]) => {
    const { tries, endsAt } = window ?? { tries: 0, endsAt: 0 };
    return [keys[name as keyof Keys], tries, endsAt, '', endsAt];
  });
  const { wrong, until, series } = delay ?? { wrong: 0, until: 0, series: '' };
  rows.push([keys.delay, wrong, until, series, series === '' ? 0 : until + passwordTries.forgottenMs]);
  await run(
    `UPDATE password_tries AS kept
     SET count = one.count, until = one.until, series = one.series, forgotten_at = one.forgotten_at
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
       AS one (key, count, until, series, forgotten_at)
     WHERE kept.key = one.key`,
    [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column]!)),
  );
}
