import type { DatabaseSync } from 'node:sqlite';

import type { Secrets } from '#server/domain/ports/secrets.ts';
import { storedShareId } from '#server/domain/shares/share-id.ts';

/** Links in one transaction. */
const batchRows = 1000;

/** Another process may hold the lock for a moment. It blocks: nothing is served yet. */
const lockTimeoutMs = 30_000;

/**
 * Replaces the ids of links from before migration `share-ids` by their keyed hashes, and keeps the ids encrypted;
 * returns how many. A run that was cut off leaves whole batches behind, and the next one goes on. Several processes may
 * do so at once. Call it before a `Writer` owns the connection: it blocks, and nothing is served yet.
 */
export function hideShareIds(db: DatabaseSync, secrets: Pick<Secrets, 'credentialHash' | 'seal'>): number {
  // A quick look at an index that is empty from the second start on.
  if (!db.prepare('SELECT 1 FROM shares WHERE sealed_id IS NULL').get()) return 0;
  db.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
  try {
    let hidden = 0;
    for (;;) {
      const batch = hideBatch(db, secrets);
      hidden += batch;
      if (batch < batchRows) return hidden;
    }
  } finally {
    db.exec('PRAGMA busy_timeout = 0');
  }
}

function hideBatch(db: DatabaseSync, secrets: Pick<Secrets, 'credentialHash' | 'seal'>): number {
  db.exec('BEGIN IMMEDIATE');
  try {
    const rows = db.prepare('SELECT share_id FROM shares WHERE sealed_id IS NULL LIMIT ?').all(batchRows);
    const hide = db.prepare('UPDATE shares SET share_id = ?, sealed_id = ? WHERE share_id = ?');
    for (const { share_id: shareId } of rows as Array<{ share_id: string }>) {
      const { idHash, sealedId } = storedShareId(secrets, shareId);
      hide.run(idHash, sealedId, shareId);
    }
    db.exec('COMMIT');
    return rows.length;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Writes the database anew, so that it has no unused bytes: pages that SQLite split or freed keep copies of their rows.
 * It blocks, takes seconds for each gigabyte, and twice the size of the database on disk while it works.
 */
export function dropUnusedBytes(db: DatabaseSync): void {
  db.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
  try {
    db.exec('VACUUM');
  } finally {
    // The log is as long as the database now, also when there was no room for all of it.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec('PRAGMA busy_timeout = 0');
  }
}
