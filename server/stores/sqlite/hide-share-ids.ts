import type { DatabaseSync } from 'node:sqlite';

import type { Secrets } from '#server/domain/ports/secrets.ts';
import { storedShareId } from '#server/domain/shares/share-id.ts';
import { inTransaction, waitingForLocks } from './connection.ts';

/** Links in one transaction. */
const batchRows = 1000;

const lockTimeoutMs = 30_000;

/**
 * Replaces the ids of links from before migration `share-ids` with their keyed hashes, and keeps the ids encrypted.
 * Returns how many it replaced. If it is cut off, whole batches are done, and the next run continues. Several processes
 * may run it at once. It blocks, so call it before a `Writer` owns the connection.
 */
export function hideShareIds(db: DatabaseSync, secrets: Pick<Secrets, 'credentialHash' | 'seal'>): number {
  // This is fast, because the index is empty from the second start on.
  if (!db.prepare('SELECT 1 FROM shares WHERE sealed_id IS NULL').get()) return 0;
  return waitingForLocks(db, lockTimeoutMs, () => {
    let hidden = 0;
    for (;;) {
      const batch = inTransaction(db, () => hideBatch(db, secrets));
      hidden += batch;
      if (batch < batchRows) return hidden;
    }
  });
}

function hideBatch(db: DatabaseSync, secrets: Pick<Secrets, 'credentialHash' | 'seal'>): number {
  const rows = db.prepare('SELECT share_id FROM shares WHERE sealed_id IS NULL LIMIT ?').all(batchRows);
  const hide = db.prepare('UPDATE shares SET share_id = ?, sealed_id = ? WHERE share_id = ?');
  for (const { share_id: shareId } of rows as Array<{ share_id: string }>) {
    const { idHash, sealedId } = storedShareId(secrets, shareId);
    hide.run(idHash, sealedId, shareId);
  }
  return rows.length;
}

/**
 * Rewrites the database, so that it has no unused bytes. Pages that SQLite split or freed keep copies of their rows. It
 * blocks, takes seconds for each gigabyte, and needs twice the size of the database on disk while it works.
 */
export function dropUnusedBytes(db: DatabaseSync): void {
  waitingForLocks(db, lockTimeoutMs, () => {
    try {
      db.exec('VACUUM');
    } finally {
      // The log is as long as the database now, also when there was no room for all of it.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  });
}
