import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '#server/domain/ports/clock.ts';
import {
  MetadataUnavailable,
  type AtomicOptions,
  type Metadata,
  type Readers,
  type Transaction,
} from '#server/domain/ports/metadata.ts';
import type { SqlValue } from '#server/stores/tables/rows.ts';
import { openTables, tableNames } from '#server/stores/tables/tables.ts';
import type { BeginOptions } from './begin.ts';
import { asStoreFault, isRetryable, isUnavailable, NoConnection } from './database-errors.ts';
import { joinReads } from './joined-reads.ts';
import { Lanes } from './lanes.ts';
import type { PieceRun } from './piece-run.ts';
import { Piece } from './piece.ts';
import type { PostgresPool } from './pool.ts';
import { PostgresRows } from './rows.ts';
import { runTogether, type Outcome } from './run-together.ts';
import { useLockedAccount } from './use-locked-account.ts';

/** Settings and callbacks of a {@link PostgresMetadata}. */
export interface PostgresMetadataOptions extends BeginOptions {
  /** Returns the name of this process in rows that belong to it. Default: empty, for a process without a lease. */
  readonly owner?: () => string;
  /** Throws while this process must not write. Called when a transaction begins, and before its commit. */
  readonly requireLive?: () => void;
  /** Receives errors of `afterCommit` callbacks, which no caller waits for. */
  readonly onFault: (error: unknown) => void;
  /** Called after a commit that marked blobs for deletion. Their bytes can then be removed. */
  readonly onMarkedForDeletion: () => void;
  /** The clock that usage is counted by. Default: that of the transaction. */
  readonly usageClock?: Clock | undefined;
  /** Called for each commit, for counters. Must not throw. */
  readonly onCommit?: (commit: { readonly pieces: number; readonly durationMs: number }) => void;
}

/** Transactions of one account that this process has under way: one holds its lock, the next one waits for it. */
const perAccount = { width: 2, mostAtOnce: 32 };

/**
 * The same for those that lock the audit log. Each entry follows from the one before it, so they gain nothing together.
 */
const audited = { width: 2, mostAtOnce: 1 };

/** A transaction without a lock is SERIALIZABLE. More of them at once would only undo each other. */
const withoutLock = { width: 4, mostAtOnce: 1 };

/** Pauses before a transaction runs again, in ms. Each is twice as long as the one before, up to the last. */
const firstPauseMs = 1;
const lastPauseMs = 100;

/** All rows, in a PostgreSQL database that several processes share. */
export class PostgresMetadata implements Metadata {
  readonly read: Readers;
  readonly #pool: PostgresPool;
  readonly #options: PostgresMetadataOptions;
  readonly #current = new AsyncLocalStorage<PieceRun>();
  /** Transactions that have not ended. */
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;
  readonly #accounts: Lanes<Piece>;
  readonly #audited: Lanes<Piece>;
  readonly #others: Lanes<Piece>;

  constructor(pool: PostgresPool, options: PostgresMetadataOptions) {
    this.#pool = pool;
    this.#options = options;
    this.read = this.#openReaders();
    const run = (pieces: readonly Piece[]) => this.#untilCommitted(pieces);
    this.#accounts = new Lanes({ ...perAccount, run });
    this.#audited = new Lanes({ ...audited, run });
    this.#others = new Lanes({ ...withoutLock, run });
  }

  async atomically<T>(work: (tx: Transaction) => Promise<T>, options: AtomicOptions = {}): Promise<T> {
    if (this.#current.getStore()?.isOpen)
      throw new Error('atomically() inside atomically(): hand the transaction down instead.');
    this.#options.requireLive?.();
    if (this.#isClosed) throw new MetadataUnavailable('The database is being closed: it takes no new work.', undefined);
    this.#requireAnswering();
    const piece = new Piece(work, options, performance.now() + this.#pool.deadlineMs);
    if (options.account !== undefined) this.#accounts.add(laneOf(options.account, options), piece);
    else if (options.isAudited) this.#audited.add('', piece);
    else this.#others.add('', piece);
    this.#running.add(piece.result);
    try {
      return (await piece.result) as T;
    } catch (error) {
      throw asStoreFault('written', error);
    } finally {
      this.#running.delete(piece.result);
    }
  }

  /** Nothing waits for a turn behind commits whose outcome is being looked up. */
  #requireAnswering(): void {
    try {
      this.#pool.requireAnswering();
    } catch (error) {
      throw asStoreFault('written', error);
    }
  }

  /** Rejects new work, finishes what is under way, and closes the connections. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await this.#pool.close();
  }

  /**
   * Runs pieces in one transaction, and settles them. Runs them again as long as the database asks for that, up to
   * their deadlines. If a statement of several pieces fails, each runs in a transaction of its own.
   */
  async #untilCommitted(pieces: readonly Piece[]): Promise<void> {
    let left = pieces;
    for (let pauseMs = firstPauseMs; left.length > 0; pauseMs = Math.min(2 * pauseMs, lastPauseMs)) {
      try {
        return await this.#once(left);
      } catch (error) {
        if (!isRetryable(error)) return this.#failed(left, error);
        const late = (piece: Piece) => performance.now() + pauseMs >= piece.giveUpAt;
        for (const piece of left.filter(late)) piece.reject(error);
        left = left.filter((piece) => !late(piece));
        await sleep(pauseMs * (0.5 + Math.random() / 2)); // several that met should not return in step
      }
    }
  }

  async #failed(pieces: readonly Piece[], error: unknown): Promise<void> {
    const isShared = pieces.length > 1 && !isUnavailable(error) && !(error instanceof MetadataUnavailable);
    for (const piece of pieces) {
      if (isShared) await this.#untilCommitted([piece]);
      else piece.reject(error);
    }
  }

  async #once(pieces: readonly Piece[]): Promise<void> {
    const giveUpAt = Math.min(...pieces.map((piece) => piece.giveUpAt));
    const withinMs = giveUpAt - performance.now();
    if (withinMs <= 0) throw new NoConnection('Other transactions have taken all the time for this one.');
    await this.#pool.withSession(async (session) => {
      const startedAt = performance.now();
      const together = {
        ...this.#options,
        pool: this.#pool,
        giveUpAt,
        work: (run: PieceRun, piece: Piece) => this.#work(run, piece),
      };
      this.#settle(await runTogether(session, pieces, together), performance.now() - startedAt);
    }, withinMs);
  }

  #work(run: PieceRun, { work, inCallersContext, options }: Piece): Promise<unknown> {
    return inCallersContext(() =>
      this.#current.run(run, () => run.run(async () => work(this.#open(run, options.account)))),
    );
  }

  /** Answers the callers of a transaction that has ended. */
  #settle(outcomes: readonly Outcome[], durationMs: number): void {
    const done = outcomes.filter(({ run }) => run);
    for (const { piece, run } of done) piece.inCallersContext(() => run!.committed(this.#options.onFault));
    for (const { piece, run, result } of outcomes) {
      if (run) piece.resolve(result);
      else piece.reject(result);
    }
    if (done.length > 0) this.#options.onCommit?.({ pieces: done.length, durationMs });
  }

  #open(run: PieceRun, account: string | undefined): Transaction {
    const { usageClock } = this.#options;
    const context = {
      get now() {
        return run.now;
      },
      usageNow: usageClock && (() => usageClock.now()),
      owner: this.#options.owner?.() ?? '',
      onMarkedForDeletion: () => run.afterCommit(this.#options.onMarkedForDeletion),
    };
    const tables = openTables(new PostgresRows(run), context);
    if (account !== undefined) useLockedAccount(tables, run, account);
    return Object.defineProperties(tables as Transaction, {
      now: { get: () => run.now },
      afterCommit: { value: (callback: () => void) => run.afterCommit(callback) },
    });
  }

  /** Opens the tables for reading outside of transactions. The engine's failures become the port's. */
  #openReaders(): Readers {
    const send = async (sql: string, values: readonly SqlValue[]) => {
      const answer = this.#pool.read(sql, values);
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

/** Work that needs a lease never shares its transaction. */
function laneOf(account: string, { lease }: AtomicOptions): string {
  return lease ? `${account} ${lease.job}` : account;
}
