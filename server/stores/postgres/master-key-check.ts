import type { MasterKeyRotation } from '#server/domain/master-key/rotation.ts';
import type { SqlValue } from '#server/stores/tables/columns.ts';
import { endRotations, lastRotation, rotations } from '#server/stores/tables/master-keys.ts';
import { sqlState } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';

const undefinedTable = '42P01';

/** Returns the check value of the master key that the database was made with; undefined if there is none yet. */
export async function findKeyCheck(pool: PostgresPool): Promise<string | undefined> {
  const row = await firstRow<readonly [string]>(pool, 'SELECT value FROM master_key_check');
  return row?.[0];
}

/** Returns the last rotation of the master key; undefined if there is none yet. */
export async function findRotation(pool: PostgresPool): Promise<MasterKeyRotation | undefined> {
  const row = await firstRow<readonly SqlValue[]>(pool, lastRotation);
  return row && rotations.columns.read(row, 0);
}

/** Returns the first row; undefined also while the table is missing. */
async function firstRow<Row extends readonly unknown[]>(pool: PostgresPool, sql: string): Promise<Row | undefined> {
  try {
    return (await pool.query<Row>(sql)).rows[0];
  } catch (error) {
    if (sqlState(error) === undefinedTable) return undefined;
    throw error;
  }
}

/** Stores the check value unless there is one. Returns the stored one. */
export async function keepKeyCheck(pool: PostgresPool, value: string): Promise<string> {
  await pool.query('INSERT INTO master_key_check (one, value) VALUES (1, $1) ON CONFLICT (one) DO NOTHING', [value]);
  return (await findKeyCheck(pool))!;
}

/** Replaces the stored check value. A rotation of the former key is over. */
export async function replaceKeyCheck(pool: PostgresPool, value: string, now: number): Promise<void> {
  await pool.query(endRotations.replace('?', '$1::bigint'), [now]);
  const replace = `INSERT INTO master_key_check (one, value) VALUES (1, $1)
    ON CONFLICT (one) DO UPDATE SET value = excluded.value`;
  await pool.query(replace, [value]);
}
