import {
  missingMigrations,
  readMigrations,
  type AppliedMigration,
  type Migration,
} from '#server/stores/system/migration-files.ts';
import { sqlState } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';
import type { Session } from './session.ts';

/** The migrations of the product. */
const PRODUCT_MIGRATIONS = new URL('migrations/', import.meta.url);

/** For the rows of `schema_migrations`. Another process may create the table at the same moment. */
const createTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version    INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  sha256     TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`;

/** PostgreSQL checks the name before it creates the table, so the slower of two meets one of these. */
const createdMeanwhile = ['23505', '42P07', '42710'];

/** A migration may wait for the statements of servers that run, and change large tables. */
const limits =
  "SET LOCAL lock_timeout = '30s'; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/**
 * Brings the database to the version of this code, each migration in a transaction of its own. Several processes may do
 * so at once: each migration is applied by one of them, while servers of the version before still run. May be called
 * again.
 *
 * @returns the names that this call applied, in order, and the version since
 * @throws {MigrationRefused} when the database is newer than the code or was made by other migrations
 * @throws an error in a migration's SQL, which undoes that migration
 */
export async function migrate(
  pool: PostgresPool,
  folder: string | URL = PRODUCT_MIGRATIONS,
): Promise<{ applied: string[]; version: number }> {
  const migrations = readMigrations(folder);
  const applied: string[] = [];
  const session = await pool.take();
  try {
    while (missingMigrations(await appliedMigrations(session), migrations).length > 0) {
      const name = await applyNext(session, migrations);
      if (name !== undefined) applied.push(name);
    }
    pool.release(session);
  } catch (error) {
    session.destroy();
    throw error;
  }
  return { applied, version: migrations.length };
}

async function appliedMigrations(session: Session): Promise<AppliedMigration[]> {
  const { rows: found } = await session.command("SELECT to_regclass('schema_migrations')::text");
  if (found[0]?.[0] === null) return [];
  const { rows } = await session.command('SELECT version, name, sha256 FROM schema_migrations ORDER BY version');
  return (rows as ReadonlyArray<readonly [number, string, string]>).map(([version, name, sha256]) => ({
    version,
    name,
    sha256,
  }));
}

/** Applies the first migration that is missing. Returns its name; undefined if another process has applied it. */
async function applyNext(session: Session, migrations: readonly Migration[]): Promise<string | undefined> {
  await session.command(createTable).catch((error: unknown) => {
    if (!createdMeanwhile.includes(sqlState(error) ?? '')) throw error;
  });
  // Only one process at a time is past this lock. Others read the rows that it has left.
  await session.command(`BEGIN; ${limits}; LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE`);
  const [next] = missingMigrations(await appliedMigrations(session), migrations);
  if (next) await apply(session, next);
  await session.command('COMMIT');
  return next?.name;
}

async function apply(session: Session, { version, name, sql, sha256 }: Migration): Promise<void> {
  const { rows: before } = await session.command('SELECT pg_current_xact_id()::text');
  await session.command(sql);
  const { rows: after } = await session.command('SELECT pg_current_xact_id()::text');
  if (before[0]![0] !== after[0]![0])
    throw new Error(`Migration ${name} ends its transaction itself: it must not contain COMMIT or ROLLBACK.`);
  // For people who read the table.
  const note = 'INSERT INTO schema_migrations VALUES ($1, $2, $3, floor(extract(epoch FROM clock_timestamp()) * 1000))';
  await session.query(note, [version, name, sha256]);
}
