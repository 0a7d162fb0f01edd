import type { DatabaseSync } from 'node:sqlite';

import { waitingForLocks } from './connection.ts';

const lockTimeoutMs = 5_000;

/**
 * Returns the check value of the master key that the database was made with. Older databases have none.
 * @see D-246
 */
export function findKeyCheck(db: DatabaseSync): string | undefined {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'master_key_check'").get();
  return isThere && (db.prepare('SELECT value FROM master_key_check').get()?.value as string | undefined);
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

/** Replaces the stored check value. */
export function replaceKeyCheck(db: DatabaseSync, value: string): void {
  waitingForLocks(db, lockTimeoutMs, () =>
    db.prepare('INSERT OR REPLACE INTO master_key_check (one, value) VALUES (1, ?)').run(value),
  );
}
