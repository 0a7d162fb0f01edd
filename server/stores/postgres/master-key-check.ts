import { sqlState } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';

const undefinedTable = '42P01';

/** Returns the check value of the master key that the database was made with; undefined if there is none yet. */
export async function findKeyCheck(pool: PostgresPool): Promise<string | undefined> {
  try {
    const { rows } = await pool.query<readonly [string]>('SELECT value FROM master_key_check');
    return rows[0]?.[0];
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

/** Replaces the stored check value. */
export async function replaceKeyCheck(pool: PostgresPool, value: string): Promise<void> {
  const replace = `INSERT INTO master_key_check (one, value) VALUES (1, $1)
    ON CONFLICT (one) DO UPDATE SET value = excluded.value`;
  await pool.query(replace, [value]);
}
