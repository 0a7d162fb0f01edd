import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { LogCopier } from './log-copier.ts';

export interface WriteAheadLogOptions {
  /** `false` leaves every fsync out. */
  readonly isSynced: boolean;
  /** Whether this thread has requests to serve, so that another one is to copy. */
  readonly isServing: boolean;
}

/**
 * The log of one database file, to which every commit adds its pages. SQLite itself would sync it, and copy it into the
 * database file, inside COMMIT on the event loop; here whoever commits asks for both, and threads wait for the disk.
 *
 * The connection that writes is set to `synchronous = NORMAL` and to no checkpoints of its own. SQLite then still keeps
 * the order that a recovery needs: the log is on the disk before the copy, and the copy before the log is begun anew.
 * That beginning is the one sync that stays inside a COMMIT, of one page in thousands.
 *
 * @see https://www.sqlite.org/wal.html
 */
export class WriteAheadLog {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #isSynced: boolean;
  readonly #position: StatementSync;
  readonly #state: StatementSync;
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
    this.#position = db.prepare('SELECT total_changes() AS mine, data_version AS theirs FROM pragma_data_version');
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#copier = isServing ? new LogCopier({ path, isSynced }) : undefined;
  }

  /**
   * What has been committed over any connection up to this call, in a form that differs when more has been since.
   * To be asked between transactions.
   */
  position(): string {
    const { mine, theirs } = this.#position.get()!;
    return `${mine} ${theirs}`;
  }

  /**
   * Resolves once all that was committed before the call would survive a power cut. One at a time. @throws what the
   * disk said
   */
  async sync(): Promise<void> {
    if (!this.#isSynced) return;
    // The file is there as long as a connection is. It is none of those whose locks a close would drop.
    this.#descriptor ??= openSync(`${this.#path}-wal`, 'r+');
    await promisify(fdatasync)(this.#descriptor);
  }

  /** Pages that are in the log and not in the database file yet. */
  pendingPages(): number {
    const { log, checkpointed } = this.#state.get() as { log: number; checkpointed: number };
    return Math.max(0, log - checkpointed);
  }

  /**
   * Copies the log into the database file while commits go on; what is committed meanwhile may stay behind. A log that
   * is copied whole is begun anew by the next commit. One at a time. @throws what SQLite said
   */
  async copy(): Promise<void> {
    if (this.#copier) await this.#copier.copy();
    else copyLog(this.#db);
  }

  /**
   * To be called when neither a sync nor a copy is under way. What is not copied stays in the log, for whoever opens
   * the file next.
   */
  async close(): Promise<void> {
    await this.#copier?.close();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Copies what no reader holds back, and waits for none. */
export function copyLog(db: DatabaseSync): void {
  db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
}
