import type { DatabaseSync } from 'node:sqlite';

import { waitingForLocks } from './connection.ts';

const lockTimeoutMs = 30_000;

/**
 * Rewrites the database, so that it has no unused bytes. Pages that SQLite split or freed keep copies of their rows. It
 * blocks, takes seconds for each gigabyte, and needs twice the size of the database on disk while it works.
 */
export function dropUnusedBytes(db: DatabaseSync): void {
  waitingForLocks(db, lockTimeoutMs, () => {
    try {
      db.exec('VACUUM');
    } finally {
      // The log is as long as the database now, also when there was no space for all of it.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  });
}
