import { closeSync, fdatasync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { cutLog, openLog } from '#server/internals/sqlite-3.ts';
import { LogCopier } from './log-copier.ts';

const synced = promisify(fdatasync);

interface WriteAheadLogOptions {
  /** `false` leaves out every fsync. */
  readonly isSynced: boolean;
  /** Whether this thread serves requests, so that another thread copies. */
  readonly isServing: boolean;
}

/**
 * The log of one database file, to which every commit adds its pages. SQLite itself would sync the log, and copy it
 * into the database file, inside COMMIT on the event loop. Here the writer requests both, and threads wait for the
 * disk.
 *
 * The connection that writes is set to `synchronous = NORMAL` and makes no checkpoints of its own. SQLite then still
 * keeps the order that a recovery needs. The log is on the disk before the copy, and the copy before the log starts
 * again. One sync stays inside a COMMIT: that of the log's first page, one page in thousands.
 *
 * @see https://www.sqlite.org/wal.html
 */
export class WriteAheadLog {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #isSynced: boolean;
  // In one statement, with the table pragma_data_version, these two take twice as long.
  readonly #ownChanges: StatementSync;
  readonly #version: StatementSync;
  readonly #state: StatementSync;
  readonly #pageBytes: number;
  readonly #copier: LogCopier | undefined;
  #descriptor: number | undefined;

  /**
   * @param db the connection that writes
   * @param path of the database file
   */
  constructor(db: DatabaseSync, path: string, { isSynced, isServing }: WriteAheadLogOptions) {
    db.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = ${isSynced ? 'NORMAL' : 'OFF'}`);
    this.#db = db;
    this.#path = path;
    this.#isSynced = isSynced;
    this.#ownChanges = db.prepare('SELECT total_changes() AS changes');
    this.#version = db.prepare('PRAGMA data_version');
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#pageBytes = Number(db.prepare('PRAGMA page_size').get()!.page_size);
    this.#copier = isServing ? new LogCopier({ path, isSynced }) : undefined;
  }

  /**
   * Returns a text that changes with every commit of any connection. Call it between transactions.
   */
  position(): string {
    const { changes } = this.#ownChanges.get()!;
    const { data_version: version } = this.#version.get()!;
    return `${changes} ${version}`;
  }

  /**
   * Resolves once every commit before the call would survive a power cut. One call at a time.
   * @throws the system's error
   */
  async sync(): Promise<void> {
    if (!this.#isSynced) return;
    this.#descriptor ??= openLog(this.#path);
    await synced(this.#descriptor);
  }

  /** Returns how many pages are in the log but not in the database file. */
  pendingPages(): number {
    const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
    return Math.max(0, log - checkpointed);
  }

  /** Returns how many pages are in the log. Call it between transactions. */
  pages(): number {
    return Number(this.#state.get()!.log);
  }

  /**
   * Shortens the file behind so many pages. Needs no space on the disk. Call it in a transaction that has written
   * nothing, so that no other process writes.
   * @throws the system's error
   */
  cutBehind(pages: number): void {
    if (pages < 0) throw new Error('SQLite does not say how long its log is.');
    cutLog(this.#path, { pages, pageBytes: this.#pageBytes });
  }

  /**
   * Copies the log into the database file while commits continue. Pages of those commits may stay behind. After a whole
   * copy, the next commit starts the log again. One call at a time.
   * @throws SQLite's error
   */
  async copy(): Promise<void> {
    if (this.#copier) await this.#copier.copy();
    else copyLog(this.#db);
  }

  /** Call it when neither a sync nor a copy is under way. Pages that are not copied stay in the log. */
  async close(): Promise<void> {
    await this.#copier?.close();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Copies the pages that no reader holds back. Waits for no reader. */
export function copyLog(db: DatabaseSync): void {
  db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
}
