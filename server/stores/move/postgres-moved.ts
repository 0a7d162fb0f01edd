import type { PostgresPool } from '../postgres/pool.ts';
import { requireFinished, requireNotMoved } from './moved.ts';
import type { Places } from './places.ts';
import { quoted } from './statements.ts';

/**
 * Checks that a PostgreSQL database is the store still, before it is used. When its blobs have moved to those of this
 * configuration, it takes writes again.
 *
 * @throws {StoreMoveRefused}
 */
export async function requireStoreHere(pool: PostgresPool, here: Places): Promise<void> {
  requireFinished(await isUnfinishedTarget(pool), here);
  if (requireNotMoved(await findRecordIn(pool), here)) await endNotingIn(pool);
}

/** Returns the record of a move in a database. */
export async function findRecordIn(pool: PostgresPool): Promise<string | undefined> {
  const { rows } = await pool.query("SELECT to_regclass('store_move') IS NOT NULL", []);
  if (rows[0]![0] !== 1) return undefined;
  return (await pool.query('SELECT record FROM store_move', [])).rows[0]?.[0] as string | undefined;
}

/** Returns whether a move has begun to copy rows to a database, and has not finished. */
async function isUnfinishedTarget(pool: PostgresPool): Promise<boolean> {
  return (await pool.query("SELECT to_regclass('store_move_constraints') IS NOT NULL", [])).rows[0]![0] === 1;
}

/** Removes everything that a move added to its source. */
export async function endNotingIn(pool: PostgresPool): Promise<void> {
  const { rows } = await pool.query(
    'SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname LIKE ' +
      "'store\\_move\\_%'",
    [],
  );
  await pool.withSession(async (session) => {
    for (const [name] of rows) await session.command(`DROP FUNCTION ${quoted(String(name))} CASCADE`);
    await session.command('DROP TABLE IF EXISTS store_move_changes, store_move');
  });
}
