import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { JobLeaseLost } from '#server/domain/ports/job-leases.ts';
import {
  MetadataFull,
  MetadataFailed,
  MetadataMoving,
  MetadataUnavailable,
  type AtomicOptions,
  type Metadata,
  type Readers,
  type Transaction,
} from '#server/domain/ports/metadata.ts';
import { nullable } from '#server/stores/tables/columns.ts';
import { openTables, tableNames } from '#server/stores/tables/tables.ts';
import {
  ConnectionLost,
  isBroken,
  isDiskFull,
  isMoving,
  isRetryable,
  isUnavailable,
  NoConnection,
} from './database-errors.ts';
import { joinReads } from './joined-reads.ts';
import { Lanes } from './lanes.ts';
import { lockedAccount, useLockedAccount, type LockedAccount } from './locked-account.ts';
import type { PostgresPool } from './pool.ts';
import { PostgresRows } from './rows.ts';
import type { Answer, Session, SqlValue } from './session.ts';
import { PostgresTransaction } from './transaction.ts';
import { isCommitted, type TransactionId } from './unknown-commit.ts';

/** Settings and callbacks of a {@link PostgresMetadata}. */
export interface PostgresMetadataOptions {
  /** The clock for `tx.now`, in place of the database's. For tests. */
  readonly now?: (() => number) | undefined;
  /** Returns the name of this process in rows that belong to it. Default: empty, for a process without a lease. */
  readonly owner?: () => string;
  /** Throws while this process must not write. Called when a transaction begins, and before its commit. */
  readonly requireLive?: () => void;
  /** Called with the database's time and the moment at which it was read, by `performance.now()`. */
  readonly onTime?: (databaseMs: number, readAt: number) => void;
  /** Receives errors of `afterCommit` callbacks, which no caller waits for. */
  readonly onFault: (error: unknown) => void;
  /** Called after a commit that marked blobs for deletion. Their bytes can then be removed. */
  readonly onMarkedForDeletion: () => void;
  /** Called for each commit, for counters. Must not throw. */
  readonly onCommit?: (commit: { readonly pieces: number; readonly durationMs: number }) => void;
}

/** Transactions of one account that this process has under way: one holds its lock, the next one waits for it. */
const perAccount = 2;

/** A transaction without an account is SERIALIZABLE. More of them at once would only undo each other. */
const withoutAccount = 4;

/** Pauses before a transaction runs again, in ms. Each is twice as long as the one before, up to the last. */
const firstPauseMs = 1;
const lastPauseMs = 100;

/** The database's time in milliseconds, and the transaction's number, which tells later whether it was committed. */
const timeAndId = `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, pg_current_xact_id()::text`;

/**
 * Locks the account's row and reads it. The time is read after that, because the join waits for the row. So the
 * transactions of an account have times in their order.
 */
const lockAccount = `SELECT ${timeAndId}, locked.* FROM (SELECT 1) AS always LEFT JOIN (
  SELECT ${lockedAccount.names.join(', ')} FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE) AS locked ON TRUE`;

/** Another process that takes the job waits until the transaction has ended. */
const holdsJob = 'SELECT 1 FROM job_leases WHERE job = $1 AND epoch = $2 FOR SHARE';

const readTime = `SELECT ${timeAndId}`;

/** A transaction that has begun. */
interface Begun {
  readonly now: number;
  readonly id: TransactionId;
  /** The row of its account, if it has one. */
  readonly locked: LockedAccount | undefined;
}

/** All rows, in a PostgreSQL database that several processes share. */
export class PostgresMetadata implements Metadata {
  readonly read: Readers;
  readonly #pool: PostgresPool;
  readonly #options: PostgresMetadataOptions;
  readonly #current = new AsyncLocalStorage<PostgresTransaction>();
  /** Transactions that have not ended. */
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;
  readonly #accounts = new Lanes(perAccount);
  readonly #others = new Lanes(withoutAccount);

  constructor(pool: PostgresPool, options: PostgresMetadataOptions) {
    this.#pool = pool;
    this.#options = options;
    this.read = this.#openReaders();
  }

  async atomically<T>(work: (tx: Transaction) => Promise<T>, options: AtomicOptions = {}): Promise<T> {
    if (this.#current.getStore()?.isOpen)
      throw new Error('atomically() inside atomically(): hand the transaction down instead.');
    const { account } = options;
    this.#options.requireLive?.();
    const lane = account === undefined ? this.#others : this.#accounts;
    const giveUpAt = performance.now() + this.#pool.deadlineMs;
    if (this.#isClosed) throw new MetadataUnavailable('The database is being closed: it takes no new work.', undefined);
    const running = lane.run(account ?? '', () => this.#untilCommitted(work, options, giveUpAt));
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw asStoreFault('written', error);
    } finally {
      this.#running.delete(running);
    }
  }

  /** Rejects new work, finishes what is under way, and closes the connections. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await this.#pool.close();
  }

  /** Runs the work again as long as the database asks for that, up to the deadline. */
  async #untilCommitted<T>(
    work: (tx: Transaction) => Promise<T>,
    options: AtomicOptions,
    giveUpAt: number,
  ): Promise<T> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, lastPauseMs)) {
      try {
        return await this.#once(work, options, giveUpAt - performance.now());
      } catch (error) {
        if (!isRetryable(error) || performance.now() + pauseMs >= giveUpAt) throw error;
        await sleep(pauseMs * (0.5 + Math.random() / 2)); // several that met should not return in step
      }
    }
  }

  async #once<T>(work: (tx: Transaction) => Promise<T>, options: AtomicOptions, withinMs: number): Promise<T> {
    const giveUpAt = performance.now() + withinMs;
    if (withinMs <= 0) throw new NoConnection('Other transactions have taken all the time for this one.');
    const session = await this.#pool.take(withinMs);
    try {
      const result = await this.#run(session, work, options, giveUpAt);
      this.#pool.release(session);
      return result;
    } catch (error) {
      this.#pool.release(session, error);
      throw error;
    }
  }

  async #run<T>(
    session: Session,
    work: (tx: Transaction) => Promise<T>,
    options: AtomicOptions,
    giveUpAt: number,
  ): Promise<T> {
    const startedAt = performance.now();
    // The waits for a connection and for the lock have one deadline. Later, each statement has its own.
    const timer = setTimeout(() => session.destroy(), giveUpAt - startedAt);
    const { now, id, locked } = await this.#begin(session, options).finally(() => clearTimeout(timer));
    const transaction = new PostgresTransaction(session, now);
    let result: T;
    let commit: Promise<Answer>;
    try {
      result = await this.#current.run(transaction, () => transaction.run((tx) => work(this.#open(tx, locked))));
      this.#options.requireLive?.();
      // It is sent behind the statements that nobody waited for, so that all of them take one round trip.
      commit = session.command('COMMIT');
    } catch (error) {
      throw await this.#undo(session, transaction, error);
    }
    const [settled, committed] = await Promise.allSettled([transaction.settled(), commit]);
    if (committed.status === 'rejected') {
      if (!(committed.reason instanceof ConnectionLost) || !(await isCommitted(this.#pool, id))) throw committed.reason;
    } else if (settled.status === 'rejected') throw settled.reason;
    else if (committed.value.command !== 'COMMIT')
      throw new Error('The transaction was rolled back: a statement failed, and the work went on.');
    transaction.committed(this.#options.onFault);
    this.#options.onCommit?.({ pieces: 1, durationMs: performance.now() - startedAt });
    return result;
  }

  /** Begins the transaction, locks the account and reads the clock, in one round trip. */
  async #begin(session: Session, { account, lease, isDurable = true }: AtomicOptions): Promise<Begun> {
    const isolation = account === undefined ? 'SERIALIZABLE' : 'READ COMMITTED';
    const begin = session.command(
      `BEGIN ISOLATION LEVEL ${isolation}${isDurable ? '' : '; SET LOCAL synchronous_commit = off'}`,
    );
    const sentAt = performance.now();
    const first = account === undefined ? session.query(readTime) : session.query(lockAccount, [account]);
    const held = lease && session.query(holdsJob, [lease.job, lease.epoch]);
    const [begun, answer, job] = await Promise.allSettled([begin, first, held]);
    const readAt = performance.now();
    const failed = [begun, answer, job].find((one) => one.status === 'rejected');
    if (failed || answer.status === 'rejected' || job.status === 'rejected')
      throw await this.#rolledBack(session, (failed as PromiseRejectedResult).reason);
    if (lease && job.value!.count === 0) throw await this.#rolledBack(session, new JobLeaseLost(lease));
    const [databaseMs, id] = answer.value.rows[0] as [number, string];
    // The answer is younger than half of its round trip, unless it waited for a lock.
    this.#options.onTime?.(databaseMs, account === undefined ? (sentAt + readAt) / 2 : readAt);
    return {
      now: this.#options.now?.() ?? databaseMs,
      id: { text: id, timeline: session.timeline },
      locked: account === undefined ? undefined : readLocked(answer.value.rows[0]!),
    };
  }

  /** Rolls the transaction back. Returns the error that is the cause. */
  async #undo(session: Session, transaction: PostgresTransaction, error: unknown): Promise<unknown> {
    const [settled] = await Promise.allSettled([transaction.settled()]);
    // A statement that nobody waited for may have failed first. Then all later ones failed because of it.
    const cause: unknown = settled.status === 'rejected' && isConsequence(error) ? settled.reason : error;
    return this.#rolledBack(session, cause);
  }

  async #rolledBack(session: Session, error: unknown): Promise<unknown> {
    await session.command('ROLLBACK').catch(() => session.destroy());
    return error;
  }

  #open(tx: PostgresTransaction, locked: LockedAccount | undefined): Transaction {
    const context = {
      now: tx.now,
      owner: this.#options.owner?.() ?? '',
      onMarkedForDeletion: () => tx.afterCommit(this.#options.onMarkedForDeletion),
    };
    const tables = openTables(new PostgresRows(tx), context);
    if (locked) useLockedAccount(tables, tx, locked);
    return Object.assign(tables, { now: tx.now, afterCommit: (callback: () => void) => tx.afterCommit(callback) });
  }

  /** Opens the tables for reading outside of transactions. The engine's failures become the port's. */
  #openReaders(): Readers {
    const send = async (sql: string, values: Parameters<PostgresPool['query']>[1]) => {
      const answer = this.#pool.query(sql, values, { isRepeatable: true });
      const transaction = this.#current.getStore();
      try {
        return await (transaction?.isOpen ? transaction.waitFor(answer) : answer);
      } catch (error) {
        throw asStoreFault('read', error);
      }
    };
    const rows = new PostgresRows({ send, post: async (sql, values) => void (await send(sql, values)) });
    const tables = openTables(rows, { now: 0, owner: '', onMarkedForDeletion: () => {} });
    const readers = Object.fromEntries(tableNames.map((name) => [name, tables[name]])) as unknown as Readers;
    return joinReads(readers, rows);
  }
}

/** Reads the account behind the time and the transaction's number. */
function readLocked(row: readonly SqlValue[]): LockedAccount | undefined {
  return nullable(lockedAccount).read(row, 2) ?? undefined;
}

/** Whether a statement failed only because an earlier one of its transaction had failed (25P02). */
function isConsequence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02';
}

/** Returns the port's own fault when the database cannot work at the moment. Other errors stay as they are. */
function asStoreFault(doing: 'read' | 'written', error: unknown): unknown {
  if (isDiskFull(error)) return new MetadataFull(error);
  if (isMoving(error)) return new MetadataMoving(error);
  const message = `The database cannot be ${doing} at the moment.`;
  if (isUnavailable(error)) return new MetadataUnavailable(message, error);
  return isBroken(error) ? new MetadataFailed(message, error) : error;
}
