import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '#server/domain/ports/clock.ts';
import type { AtomicOptions, Metadata, Readers, Transaction } from '#server/domain/ports/metadata.ts';
import { storeFaults } from '#server/stores/tables/store-fault.ts';
import { readSteps } from '#server/stores/tables/read-steps.ts';
import { openTables, tableNames } from '#server/stores/tables/tables.ts';
import type { Connections } from './connection.ts';
import { isBroken, isDiskFull, isMoving, isUnavailable } from './database-errors.ts';
import { RowCache } from './row-cache.ts';
import { SqliteRows } from './rows.ts';
import { DatabaseLocked, LogLost, WriterClosed } from './writer-errors.ts';
import { Writer, type WriterOptions, type WriterTransaction } from './writer.ts';

interface SqliteMetadataOptions extends WriterOptions {
  /** Called after a commit that marked blobs for deletion. Their bytes can then be removed. */
  readonly onMarkedForDeletion: () => void;
  /** Memory for rows that many requests read. 0: none is cached. Default 32 MiB. */
  readonly cacheBytes?: number;
  /** The clock that usage is counted by. Default: that of the transaction. */
  readonly usageClock?: Clock | undefined;
}

/** All rows, in one SQLite database. */
export class SqliteMetadata implements Metadata {
  readonly read: Readers;
  readonly #writer: Writer;
  readonly #onMarkedForDeletion: () => void;
  readonly #usageNow: (() => number) | undefined;
  readonly #cache: RowCache | undefined;

  constructor(connections: Connections, options: SqliteMetadataOptions) {
    this.#writer = new Writer(connections, options);
    this.#onMarkedForDeletion = options.onMarkedForDeletion;
    const { usageClock } = options;
    this.#usageNow = usageClock && (() => usageClock.now());
    const reader = () => connections.reader;
    this.#cache = options.cacheBytes === 0 ? undefined : new RowCache(() => connections.writer, options.cacheBytes);
    this.read = openReaders(new SqliteRows(reader, this.#cache));
  }

  async atomically<T>(work: (tx: Transaction) => Promise<T>, options?: AtomicOptions): Promise<T> {
    try {
      return await this.#writer.atomically((tx) => work(this.#open(tx)), options);
    } catch (error) {
      throw asStoreFault('written', error);
    }
  }

  #open(tx: WriterTransaction): Transaction {
    const cache = this.#cache;
    if (cache) tx.afterCommit(() => cache.committed());
    const context = {
      now: tx.now,
      usageNow: this.#usageNow,
      owner: '',
      onMarkedForDeletion: () => tx.afterCommit(this.#onMarkedForDeletion),
    };
    const rows = new SqliteRows(
      () => tx.db,
      undefined,
      cache && ((changes, values) => cache.changing(changes, values)),
    );
    const tables = openTables(rows, context);
    return Object.assign(tables, { now: tx.now, afterCommit: (callback: () => void) => tx.afterCommit(callback) });
  }

  /** The number of transactions that wait for their commit. */
  get queued(): number {
    return this.#writer.queued;
  }

  /** Finishes the queued work and rejects new work. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}

type Read = (...args: unknown[]) => Promise<unknown>;

/** Opens the tables for reading outside of transactions. SQLite's failures become the port's. */
function openReaders(rows: SqliteRows): Readers {
  const tables = openTables(rows, { now: 0, owner: '', onMarkedForDeletion: () => {} });
  const isTurnOver = turns();
  const reader = (table: object, stepNames: readonly string[]) =>
    Object.fromEntries(
      Object.entries(table as Record<string, Read>).map(([method, read]) => {
        const isStep = stepNames.includes(method);
        const translated: Read = async (...args) => {
          try {
            // The look at the time and the read are one step, as many may begin together.
            if (isStep) while (isTurnOver()) await nextTurn();
            return await read(...args);
          } catch (error) {
            throw asStoreFault('read', error);
          }
        };
        return [method, translated];
      }),
    );
  return Object.fromEntries(
    tableNames.map((name) => [name, reader(tables[name], readSteps[name as keyof Readers] ?? [])]),
  ) as unknown as Readers;
}

/** After a step of a read has blocked the event loop for this long, other work runs before the next step. */
const maxReadMs = 8;

/** Returns whether reads have blocked the event loop for too long in this turn, so that the next one has to wait. */
function turns(): () => boolean {
  let busySince = performance.now();
  let isFresh = false;
  return () => {
    if (!isFresh) {
      isFresh = true;
      busySince = performance.now();
      setImmediate(() => (isFresh = false));
    }
    return performance.now() - busySince > maxReadMs;
  };
}

const asStoreFault = storeFaults({
  isDiskFull,
  isMoving,
  isUnavailable: (error) => isUnavailable(error) || error instanceof DatabaseLocked || error instanceof WriterClosed,
  isBroken: (error) => isBroken(error) || error instanceof LogLost,
});
