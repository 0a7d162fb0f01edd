import type { DatabaseSync } from 'node:sqlite';

import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import { openReader } from './connection.ts';

/** Returns the wrapped root keys of a database. One whose tables were never made has none. */
export function findRootKeys(db: DatabaseSync): WrappedRoot[] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'root_keys'").get();
  if (!isThere) return [];
  const all =
    'SELECT root_id AS rootId, key_id AS keyId, wrapped, made_at AS madeAt FROM root_keys ORDER BY made_at DESC';
  return db.prepare(all).all() as unknown as WrappedRoot[];
}

/** Returns the wrapped root keys of a database file. */
export function rootKeysIn(path: string): WrappedRoot[] {
  using reader = openReader(path);
  return findRootKeys(reader);
}
