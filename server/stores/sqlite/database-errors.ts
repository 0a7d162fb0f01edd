/*
 * The meanings of SQLite's errors.
 *
 * @see https://www.sqlite.org/rescode.html
 */

import { DatabaseUnusable } from '#server/stores/system/database-unusable.ts';
import { movingMessage } from '../moving.ts';

/** CONSTRAINT_TRIGGER: a trigger refused the statement. */
const refusedByTrigger = 1811;

/** IOERR_SHMSIZE: there is no space for the index of the write-ahead log. */
const logIndexCannotGrow = 0x130a;

/** IOERR_SHMMAP */
const logIndexCannotBeMapped = 0x150a;

/**
 * Returns an error for the operator when `error`, or its cause, is an error of SQLite. Returns undefined for other
 * errors.
 */
export function databaseUnusable(path: string, error: unknown): DatabaseUnusable | undefined {
  if (error instanceof DatabaseUnusable) return error;
  const code = primaryCode(error);
  if (code === undefined)
    return error instanceof Error && error.cause !== undefined ? databaseUnusable(path, error.cause) : undefined;
  const says = (error as Error).message;
  if (isDiskFull(error))
    return new DatabaseUnusable(
      `The disk of the database ${path} is full, also the space that Cubby keeps for this. Make some megabytes ` +
        'free on it, then start again.',
    );
  switch (code) {
    case 11: // CORRUPT
    case 26: // NOTADB
      return new DatabaseUnusable(damaged(path, `SQLite: ${says}`));
    case 3: // PERM
    case 8: // READONLY
    case 14: // CANTOPEN
      return new DatabaseUnusable(
        `The database ${path} cannot be opened for writing (SQLite: ${says}). Look at who owns it and the files ` +
          `beside it (ls -l ${path}*), and whether its disk is mounted read-only.`,
      );
    case 10: // IOERR
      return new DatabaseUnusable(
        `The disk cannot read or write the database ${path} (SQLite: ${says}). Look at the disk (dmesg), then ` +
          'start again.',
      );
    case 5: // BUSY
    case 15: // PROTOCOL
      return new DatabaseUnusable(
        `Another program has had the lock of the database ${path} for too long. See which one it is (fuser ` +
          `${path}), and end it.`,
      );
    default:
      return undefined;
  }
}

/** Returns the message for a database whose contents cannot be right. */
export function damaged(path: string, says: string): string {
  return (
    `The database ${path} is damaged (${says}). Keep a copy of the data folder, then restore the last backup of ` +
    'the whole folder. ' +
    `Without a backup, "sqlite3 ${path} .recover" may save most rows.`
  );
}

/** Returns whether the disk has no space for what was to be written. */
export function isDiskFull(error: unknown): boolean {
  return primaryCode(error) === 13 || extendedCode(error) === logIndexCannotGrow;
}

/**
 * Returns whether a COMMIT may have failed after it wrote all of its pages into the log. The log's index is changed
 * after them, and it could not grow: IOERR_SHMSIZE, IOERR_SHMMAP, NOMEM.
 */
export function isAfterWriting(error: unknown): boolean {
  return [logIndexCannotGrow, logIndexCannotBeMapped, 7].includes(extendedCode(error)!);
}

/** Returns whether the database takes no writes because its rows move to another store. */
export function isMoving(error: unknown): boolean {
  return extendedCode(error) === refusedByTrigger && (error as Error).message.includes(movingMessage);
}

/** Returns whether another connection holds the lock (BUSY, PROTOCOL), so that trying again can help. */
export function isBusy(error: unknown): boolean {
  return [5, 15].includes(primaryCode(error)!);
}

/** Returns whether another connection keeps the database from working at the moment: BUSY 5, LOCKED 6, PROTOCOL 15. */
export function isUnavailable(error: unknown): boolean {
  return [5, 6, 15].includes(primaryCode(error)!);
}

/**
 * Returns whether the disk or the file of the database fails, unlike after a fault in our SQL: READONLY 8, IOERR 10,
 * CORRUPT 11, FULL 13, CANTOPEN 14, NOTADB 26. A disk that fails to read the log may look like a damaged database.
 */
export function isBroken(error: unknown): boolean {
  return [8, 10, 11, 13, 14, 26].includes(primaryCode(error)!);
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
}
