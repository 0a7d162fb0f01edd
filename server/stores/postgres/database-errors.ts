import { DatabaseError } from 'pg';

import { movingState } from '../moving.ts';
import { storeFaults } from '../tables/store-fault.ts';

/** The connection ended, or the server did not answer in time. Nobody knows whether the statement was carried out. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';

  constructor(cause: unknown) {
    super('The connection to the database was lost.', { cause });
  }
}

/** No connection was free, or none could be opened, within the time for it. Nothing was sent. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';
}

/** Nobody knows whether a transaction was committed: the server that took it is gone. */
export class UnknownCommit extends Error {
  override readonly name = 'UnknownCommit';
}

/** @see https://www.postgresql.org/docs/15/errcodes-appendix.html */
const serializationFailure = '40001';
const deadlockDetected = '40P01';
const lockNotAvailable = '55P03';
const diskFull = '53100';
const readOnlyTransaction = '25006';

/**
 * States in which the database cannot work at the moment, unlike after a fault in our SQL: lost connections (08…), out
 * of resources (53…), lock timeouts, cancelled and terminated sessions (57…), read-only servers, and a transaction that
 * was idle for too long.
 */
const passing = /^(08...|53...|55P03|57...|25006|25P03)$/;

/** States in which the disk or the files of the database fail: input and output (58…), damage (XX001, XX002). */
const broken = /^(58...|XX001|XX002)$/;

/** Returns the five characters of an error of the server; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/**
 * Returns whether the same transaction may succeed when it runs again. A connection that was lost before the commit, or
 * whose commit is known to be undone, has left nothing.
 */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return (
    error instanceof ConnectionLost ||
    isReadOnly(error) ||
    state === serializationFailure ||
    state === deadlockDetected ||
    isOldPlan(error)
  );
}

/** Returns whether the database takes no writes because its rows move to another store. */
function isMoving(error: unknown): boolean {
  return sqlState(error) === movingState;
}

/** Returns whether a statement was prepared before another process migrated its tables. */
export function isOldPlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.includes('cached plan');
}

/** Returns whether a statement failed because others had a lock for too long, or waited for one of its own. */
export function isLockBusy(error: unknown): boolean {
  const state = sqlState(error);
  return state === lockNotAvailable || state === deadlockDetected;
}

/** Returns whether the disk of the server has no space. */
function isDiskFull(error: unknown): boolean {
  return sqlState(error) === diskFull;
}

/** Returns whether the server takes no writes, for instance because another one has been promoted. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === readOnlyTransaction;
}

/** Returns whether the disk or the files of the database fail, which is no fault in our SQL. */
function isBroken(error: unknown): boolean {
  return broken.test(sqlState(error) ?? '');
}

/** Returns whether the database cannot work at the moment, so that trying again later can help. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof NoConnection ||
    error instanceof UnknownCommit ||
    isRetryable(error) ||
    passing.test(sqlState(error) ?? '')
  );
}

/** Returns the port's own fault for an error of PostgreSQL. */
export const asStoreFault = storeFaults({ isDiskFull, isMoving, isUnavailable, isBroken });
