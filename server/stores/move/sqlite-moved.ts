import type { DatabaseSync } from 'node:sqlite';

import { hasTable, waitingForLocks } from '../sqlite/connection.ts';
import { requireFinished, requireNotMoved } from './moved.ts';
import type { Places } from './places.ts';
import { endNotingIn } from './sqlite-source.ts';

const lockTimeoutMs = 5_000;

/**
 * Checks that a SQLite database is the store still, before it is used. When its blobs have moved to those of this
 * configuration, it takes writes again.
 *
 * @throws {StoreMoveRefused}
 */
export function requireStoreHere(db: DatabaseSync, here: Places): void {
  requireFinished(hasTable(db, 'store_move_triggers'), here);
  const record = hasTable(db, 'store_move') ? db.prepare('SELECT record FROM store_move').get()?.record : undefined;
  if (requireNotMoved(record as string | undefined, here))
    waitingForLocks(db, lockTimeoutMs, () => {
      db.exec('BEGIN IMMEDIATE');
      endNotingIn(db);
      db.exec('COMMIT');
    });
}
