import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import { sqlState } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';

const undefinedTable = '42P01';

/** Returns the wrapped root keys of a database. One whose tables were never made has none. */
export async function findRootKeys(pool: PostgresPool): Promise<WrappedRoot[]> {
  try {
    const { rows } = await pool.query<readonly [string, string, Uint8Array, number]>(
      'SELECT root_id, key_id, wrapped, made_at FROM root_keys ORDER BY made_at DESC',
    );
    return rows.map(([rootId, keyId, wrapped, madeAt]) => ({ rootId, keyId, wrapped, madeAt }));
  } catch (error) {
    if (sqlState(error) === undefinedTable) return [];
    throw error;
  }
}
