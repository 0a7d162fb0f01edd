import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './connection.ts';

/** Proof that this process owns the folder; see {@link acquireProcessLock}. */
export interface ProcessLock {
  /** Lets another process have the folder. May be called twice. */
  release(): void;
}

/** Another process owns the folder. The message is written for whoever started this one. */
export class ProcessLockTaken extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `Another Cubby server is running on this data folder (it holds ${path}). ` +
        'Stop that one first, or set CUBBY_DATA_DIR to another folder for this one.',
      { cause },
    );
    this.name = 'ProcessLockTaken';
  }
}

/** A connection that nobody refers to is closed by the garbage collector, and its lock would be gone unnoticed. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock that lets one server process alone own a data folder, and holds it until `release()` or the end of
 * the process: the kernel frees it even after a crash or kill -9, so a stale lock does not exist.
 *
 * `path` names the lock file, `…/server.lock`; it is created when absent and never removed. Nothing else in this process may open
 * it: with POSIX locks, closing any descriptor of a file frees all locks that the process has on it.
 *
 * Throws {@link ProcessLockTaken} when another process has it, at once and without waiting.
 */
export function acquireProcessLock(path: string): ProcessLock {
  const db = lockFile(path);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw isBusy(error) ? new ProcessLockTaken(path, error) : unusable(path, error);
  }
  held.add(db);
  return {
    release() {
      if (held.delete(db)) db.close();
    },
  };
}

function lockFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): Error {
  return new Error(
    `The lock file ${path} cannot be used: ${error instanceof Error ? error.message : error}. Does its folder exist, and may this user write there?`,
    { cause: error },
  );
}
