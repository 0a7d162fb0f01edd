import { asStoreFault, isRetryable } from '../database-errors.ts';
import { inTransaction } from '../in-transaction.ts';
import type { PostgresPool } from '../pool.ts';
import type { Parameter } from '../session.ts';

/** Runs one statement with parameters `$1`, `$2` …. Its SQL is constant text. Returns its rows. */
export type RunStatement = <Row extends readonly unknown[]>(
  sql: string,
  values: readonly Parameter[],
) => Promise<readonly Row[]>;

/** A statement with parameters `$1`, `$2` …, and their values. */
export type Statement = readonly [sql: string, values: readonly Parameter[]];

/** The database as limits, slots and leases use it. Failures are those of the metadata port. */
export interface StateDatabase {
  /** Runs one statement in a transaction of its own. It may be carried out twice, when a connection is lost. */
  readonly run: RunStatement;
  /** Runs a look-up, which takes no lock, together with others of the same turn of the event loop. */
  readonly read: RunStatement;
  /** Like `run`, together with the next statement or commit, so that it takes no round trip of its own. */
  post(sql: string, values: readonly Parameter[]): Promise<void>;
  /**
   * Runs statements in one READ COMMITTED transaction and one round trip, each with a snapshot of its own. Returns the
   * rows of the last one. It may be carried out twice, when a connection is lost.
   */
  together<Row extends readonly unknown[]>(statements: readonly Statement[]): Promise<readonly Row[]>;
  /** Runs `work` in a READ COMMITTED transaction. It may run more than once. If it throws, nothing is written. */
  transaction<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
}

/** The database's clock in milliseconds since the epoch, as SQL. */
export const databaseMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** How often work is tried again that met another one, such as in a deadlock. */
const maxTries = 5;

export function stateDatabase(pool: PostgresPool): StateDatabase {
  const run: RunStatement = (sql, values) =>
    untilItRuns(async () => (await pool.query<never>(sql, values, { isRepeatable: true })).rows);
  return {
    run,
    read: (sql, values) => untilItRuns(async () => (await pool.read<never>(sql, values)).rows),
    async post(sql, values) {
      try {
        await pool.post(sql, values);
      } catch {
        await run(sql, values);
      }
    },
    together: (statements) => untilItRuns(() => together(pool, statements), isRetryable),
    transaction: (work) =>
      untilItRuns(() =>
        inTransaction(pool, (session) => work(async (sql, values) => (await session.query<never>(sql, values)).rows)),
      ),
  };
}

async function untilItRuns<T>(work: () => Promise<T>, mayRunAgain = isMeeting): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!mayRunAgain(error) || tries === maxTries) throw asStoreFault('used', error);
    }
  }
}

/** Whether the database undid work because of other work. After a lost connection, nobody knows what was done. */
function isMeeting(error: unknown): boolean {
  return isRetryable(error) && error instanceof Error && 'code' in error;
}

async function together<Row extends readonly unknown[]>(
  pool: PostgresPool,
  statements: readonly Statement[],
): Promise<readonly Row[]> {
  const session = await pool.take();
  // All are sent at once. After one that fails, COMMIT rolls back.
  const answers = [
    session.command('BEGIN ISOLATION LEVEL READ COMMITTED'),
    ...statements.map(([sql, values]) => session.query(sql, values)),
    session.commit(),
  ];
  const failed = (await Promise.allSettled(answers)).find((one) => one.status === 'rejected');
  pool.release(session, failed?.reason);
  if (failed) throw failed.reason;
  return (await answers.at(-2)!).rows as readonly unknown[] as readonly Row[];
}
