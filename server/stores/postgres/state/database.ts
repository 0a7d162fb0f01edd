import { MetadataFailed, MetadataFull, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { isBroken, isDiskFull, isRetryable, isUnavailable } from '../database-errors.ts';
import type { PostgresPool } from '../pool.ts';
import type { Parameter, Session } from '../session.ts';

/** Runs one statement with parameters `$1`, `$2` …. Its SQL is constant text. Returns its rows. */
export type RunStatement = <Row extends readonly unknown[]>(
  sql: string,
  values: readonly Parameter[],
) => Promise<readonly Row[]>;

/** The database as limits, slots and leases use it. Failures are those of the metadata port. */
export interface StateDatabase {
  /** Runs one statement in a transaction of its own. It may be carried out twice, when a connection is lost. */
  readonly run: RunStatement;
  /** Runs a look-up, which takes no lock, together with others of the same turn of the event loop. */
  readonly read: RunStatement;
  /** Like `run`, together with the next statement or commit, so that it takes no round trip of its own. */
  post(sql: string, values: readonly Parameter[]): Promise<void>;
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
    transaction: (work) => untilItRuns(() => inTransaction(pool, work)),
  };
}

async function untilItRuns<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isMeeting(error) || tries === maxTries) throw asStoreFault(error);
    }
  }
}

/** Whether the database undid work because of other work. After a lost connection, nobody knows what was done. */
function isMeeting(error: unknown): boolean {
  return isRetryable(error) && error instanceof Error && 'code' in error;
}

async function inTransaction<T>(pool: PostgresPool, work: (run: RunStatement) => Promise<T>): Promise<T> {
  const session = await pool.take();
  try {
    const result = await begunIn(session, work);
    pool.release(session);
    return result;
  } catch (error) {
    pool.release(session, error);
    throw error;
  }
}

async function begunIn<T>(session: Session, work: (run: RunStatement) => Promise<T>): Promise<T> {
  // The first statement is sent behind it at once.
  const begun = session.command('BEGIN ISOLATION LEVEL READ COMMITTED');
  begun.catch(() => {});
  try {
    const result = await work(async (sql, values) => (await session.query<never>(sql, values)).rows);
    await begun;
    const { command } = await session.command('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back: a statement failed, and the work went on.');
    return result;
  } catch (error) {
    await session.command('ROLLBACK').catch(() => session.destroy());
    throw error;
  }
}

/** Returns the port's own fault when the database cannot work at the moment. Other errors stay as they are. */
function asStoreFault(error: unknown): unknown {
  if (isDiskFull(error)) return new MetadataFull(error);
  const message = 'The database cannot be used at the moment.';
  if (isUnavailable(error)) return new MetadataUnavailable(message, error);
  return isBroken(error) ? new MetadataFailed(message, error) : error;
}
