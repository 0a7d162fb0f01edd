import type { DatabaseSync } from 'node:sqlite';

import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import { findRootKeys } from '#server/stores/tables/root-keys.ts';
import type { UnopenedRows } from '#server/stores/tables/rows.ts';
import { hasTable, openReader } from './connection.ts';
import { SqliteRows } from './rows.ts';

/** Returns the rows behind a connection that nothing else uses meanwhile. */
export function unopenedRows(db: DatabaseSync): UnopenedRows {
  const rows = new SqliteRows(() => db);
  return {
    rows,
    hasTable: (name) => hasTable(db, name),
    async atomically(work) {
      db.exec('BEGIN IMMEDIATE');
      try {
        await work(rows);
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** Returns the wrapped root keys of a database file. */
export async function rootKeysIn(path: string): Promise<WrappedRoot[]> {
  using reader = openReader(path);
  return await findRootKeys(unopenedRows(reader));
}
