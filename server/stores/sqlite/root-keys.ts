import type { DatabaseSync } from 'node:sqlite';

import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import { hasTable, openReader } from './connection.ts';

/** Returns the wrapped root keys of a database. One whose tables were never made has none. */
export function findRootKeys(db: DatabaseSync): WrappedRoot[] {
  if (!hasTable(db, 'root_keys')) return [];
  const all =
    'SELECT root_id AS rootId, key_id AS keyId, wrapped, made_at AS madeAt FROM root_keys ORDER BY made_at DESC';
  return db.prepare(all).all() as unknown as WrappedRoot[];
}

/** Returns the wrapped root keys of a database file. */
export function rootKeysIn(path: string): WrappedRoot[] {
  using reader = openReader(path);
  return findRootKeys(reader);
}
