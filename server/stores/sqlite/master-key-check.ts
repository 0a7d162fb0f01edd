import type { DatabaseSync } from 'node:sqlite';

import type { MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import type { SqlValue } from '#server/stores/tables/columns.ts';
import { endRotations, lastRotation, rotations } from '#server/stores/tables/master-keys.ts';
import { hasTable, inTransaction, waitingForLocks } from './connection.ts';

const lockTimeoutMs = 5_000;

/**
 * Returns the check value of the master key that the database was made with. A first start that was cut off
 * left none.
 * @see DECISIONS, "What looks wrong stops a start or a deletion"
 */
export function findKeyCheck(db: DatabaseSync): string | undefined {
  return hasTable(db, 'master_key_check')
    ? (db.prepare('SELECT value FROM master_key_check').get()?.value as string | undefined)
    : undefined;
}

/** Returns the last rotation of the master key; undefined if there is none yet. */
export function findRotation(db: DatabaseSync): MasterKeyRotation | undefined {
  if (!hasTable(db, rotations.name)) return undefined;
  const last = db.prepare(lastRotation);
  last.setReturnArrays(true);
  const row = last.get() as unknown as readonly SqlValue[] | undefined;
  return row && rotations.columns.read(row, 0);
}

/**
 * Stores the check value unless there is one. Returns the stored one. If two processes start at once, it is the
 * first's.
 */
export function keepKeyCheck(db: DatabaseSync, value: string): string {
  const known = findKeyCheck(db);
  if (known !== undefined) return known;
  waitingForLocks(db, lockTimeoutMs, () =>
    db.prepare('INSERT OR IGNORE INTO master_key_check (one, value) VALUES (1, ?)').run(value),
  );
  return findKeyCheck(db)!;
}

/** Replaces the stored check value. A rotation of the former key is over. */
export function replaceKeyCheck(db: DatabaseSync, value: string, now: number): void {
  waitingForLocks(db, lockTimeoutMs, () =>
    inTransaction(db, () => {
      db.prepare(endRotations).run(now);
      db.prepare('INSERT OR REPLACE INTO master_key_check (one, value) VALUES (1, ?)').run(value);
    }),
  );
}
