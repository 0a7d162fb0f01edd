import type { DatabaseSync } from 'node:sqlite';

/** Another process may hold the lock for a moment. It blocks: nothing is served yet. */
const lockTimeoutMs = 5_000;

/**
 * The check value of the master key that the database was made with; undefined in a database from before there was one.
 * @see D-246
 */
export function findKeyCheck(db: DatabaseSync): string | undefined {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'master_key_check'").get();
  return isThere && (db.prepare('SELECT value FROM master_key_check').get()?.value as string | undefined);
}

/** Keeps the check value, and returns the one that is kept: of two processes that start at once the first one's. */
export function keepKeyCheck(db: DatabaseSync, value: string): string {
  const known = findKeyCheck(db);
  if (known !== undefined) return known;
  writing(db, () => db.prepare('INSERT OR IGNORE INTO master_key_check (one, value) VALUES (1, ?)').run(value));
  return findKeyCheck(db)!;
}

/** Puts another check value in its place. */
export function replaceKeyCheck(db: DatabaseSync, value: string): void {
  writing(db, () => db.prepare('INSERT OR REPLACE INTO master_key_check (one, value) VALUES (1, ?)').run(value));
}

function writing(db: DatabaseSync, write: () => unknown): void {
  db.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
  try {
    write();
  } finally {
    db.exec('PRAGMA busy_timeout = 0');
  }
}
