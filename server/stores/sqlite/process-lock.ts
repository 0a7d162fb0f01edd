import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './database-errors.ts';

/** Proves that this process owns the folder. @see acquireProcessLock */
interface ProcessLock {
  /** Frees the folder for another process. May be called twice. */
  release(): void;
}

/** Another process owns the folder. The message is for the operator. */
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

/** Keeps the connections alive: the garbage collector would close them and free their locks unnoticed. */
const openLocks = new Set<DatabaseSync>();

/**
 * Takes the lock that lets one server process own a data folder, and holds it until `release()` or the end of the
 * process. The kernel frees it even after a crash or kill -9, so no stale lock exists. Never waits.
 *
 * @param path of the lock file, `…/server.lock`. It is created when absent and never removed. Nothing else in this
 *   process may open it: with POSIX locks, closing any descriptor of a file frees all locks of the process on it.
 * @throws {ProcessLockTaken} when another process has it
 */
export function acquireProcessLock(path: string): ProcessLock {
  const db = lockFile(path);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw isBusy(error) ? new ProcessLockTaken(path, error) : unusable(path, error);
  }
  openLocks.add(db);
  return {
    release() {
      if (openLocks.delete(db)) db.close();
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
    `The lock file ${path} cannot be used: ${error instanceof Error ? error.message : error}. Does its folder ` +
      'exist, and may this user write there?',
    { cause: error },
  );
}
