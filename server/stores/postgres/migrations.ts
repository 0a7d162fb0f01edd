import { setTimeout as sleep } from 'node:timers/promises';

import {
  missingMigrations,
  readMigrations,
  MigrationRefused,
  type AppliedMigration,
  type Migration,
} from '#server/stores/system/migration-files.ts';
import { schemaParts } from '#server/stores/tables/schema-parts.ts';
import { isLockBusy, sqlState } from './database-errors.ts';
import type { PostgresPool } from './pool.ts';
import { requireNoOlderServer, requireServed, schemaState, statedOldestServer } from './schema-window.ts';
import type { Session } from './session.ts';

/** Returns the migrations of the product: its schema, and what has changed since. */
export function productMigrations(): Migration[] {
  return readMigrations(
    new URL('.', import.meta.url),
    schemaParts('postgres').map(({ file }) => file),
  );
}

/** For the rows of `schema_migrations`. Another process may create the table at the same moment. */
const createTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version       INTEGER PRIMARY KEY,
  name          TEXT NOT NULL,
  sha256        TEXT NOT NULL,
  applied_at    BIGINT NOT NULL,
  oldest_server INTEGER
)`;

/** PostgreSQL checks the name before it creates the table, so the slower of two meets one of these. */
const createdMeanwhile = ['23505', '42P07', '42710'];

/** How a migration waits for locks of tables in use. Durations are milliseconds. */
interface LockPatience {
  /**
   * How long it waits for a lock in one go. All requests that need the table wait behind it, so this is shorter than
   * the deadline of their statements.
   */
  readonly waitMs: number;
  /** The pause before it tries again. The requests behind it then get through. */
  readonly pauseMs: number;
  /** How long it tries. */
  readonly tryMs: number;
}

const patience: LockPatience = { waitMs: 1_000, pauseMs: 2_000, tryMs: 300_000 };

/** Returns the newest version of the tables that this code knows. */
export function knownVersion(): number {
  return productMigrations().length;
}

/**
 * Brings the database to the version of this code, each migration in a transaction of its own. Several processes may do
 * so at once: each migration is applied by one of them, while servers of the version before still run. May be called
 * again. A newer database is left as it is, if it takes servers of this version.
 *
 * @returns the names that this call applied, in order, and the version of the database since
 * @throws {MigrationRefused} when the database is too new for the code or was made by other migrations, when servers
 *   run that would not work afterwards, or when another program does not release a table
 * @throws an error in a migration's SQL, which undoes that migration
 */
export async function migrate(
  pool: PostgresPool,
  migrations: readonly Migration[] = productMigrations(),
  locks: LockPatience = patience,
): Promise<{ applied: string[]; version: number }> {
  const applied: string[] = [];
  const session = await pool.take();
  try {
    for (;;) {
      const { missing, version } = await stateOf(session, migrations);
      if (missing.length === 0) {
        pool.release(session);
        return { applied, version };
      }
      const name = await applyNext(session, migrations, locks);
      if (name !== undefined) applied.push(name);
    }
  } catch (error) {
    session.destroy();
    throw error;
  }
}

/**
 * Checks that the code may use the database, without a change to it.
 *
 * @throws {MigrationRefused} as `migrate()`, if the database is too new for the code or was made by other migrations
 */
export async function requireUsable(pool: PostgresPool): Promise<void> {
  await pool.withSession((session) => stateOf(session, productMigrations()));
}

/** Returns the database's version, and the migrations that it lacks. */
async function stateOf(
  session: Session,
  migrations: readonly Migration[],
): Promise<{ readonly version: number; readonly missing: readonly Migration[] }> {
  const applied = await appliedMigrations(session);
  if (applied.length > migrations.length) {
    const { rows } = await session.command(schemaState);
    const [version, oldestServer] = rows[0] as [number, number];
    requireServed({ version, oldestServer }, migrations.length);
  }
  const missing = missingMigrations(applied.slice(0, migrations.length), migrations);
  return { version: applied.length, missing };
}

/** Returns the names of the migrations that a database lacks. Changes nothing. @throws {MigrationRefused} */
export async function pendingMigrations(pool: PostgresPool): Promise<string[]> {
  const { missing } = await pool.withSession((session) => stateOf(session, productMigrations()));
  return missing.map(({ name }) => name);
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

/**
 * Applies the first migration that is missing. A lock that is not free is tried again. Returns the migration's name;
 * undefined if another process has applied it.
 */
async function applyNext(
  session: Session,
  migrations: readonly Migration[],
  { waitMs, pauseMs, tryMs }: LockPatience,
): Promise<string | undefined> {
  await session.command(createTable).catch((error: unknown) => {
    if (!createdMeanwhile.includes(sqlState(error) ?? '')) throw error;
  });
  const giveUpAt = performance.now() + tryMs;
  for (;;) {
    try {
      return await tryNext(session, migrations, waitMs);
    } catch (error) {
      if (!isLockBusy(error)) throw error;
      await session.command('ROLLBACK');
      if (performance.now() > giveUpAt)
        throw new MigrationRefused(
          'The database could not be migrated: another program has kept a table locked for ' +
            `${Math.round(tryMs / 1_000)} s, for instance a backup or a long query (PostgreSQL: ` +
            `${(error as Error).message}). ` +
            'Servers that run go on as before. Start again when that program has ended.',
        );
      await sleep(pauseMs);
    }
  }
}

async function tryNext(
  session: Session,
  migrations: readonly Migration[],
  waitMs: number,
): Promise<string | undefined> {
  // Only one process at a time is past this lock. Others read the rows that it has left. A migration may change large
  // tables, so these wait for it without a limit.
  await session.command(
    `BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0;
     SET LOCAL idle_in_transaction_session_timeout = 0;
     LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE; SET LOCAL lock_timeout = ${waitMs}`,
  );
  const { missing } = await stateOf(session, migrations);
  const [next] = missing;
  if (next) await apply(session, next);
  await session.command('COMMIT');
  return next?.name;
}

async function apply(session: Session, migration: Migration): Promise<void> {
  const { version, name, sql, sha256 } = migration;
  const oldestServer = statedOldestServer(migration);
  // Twice: before it locks anything, and at its end, when no older server can join any more.
  await requireNoOlderServer(session, migration);
  const { rows: before } = await session.command('SELECT pg_current_xact_id()::text');
  await session.command(sql);
  const { rows: after } = await session.command('SELECT pg_current_xact_id()::text');
  if (before[0]![0] !== after[0]![0])
    throw new Error(`Migration ${name} ends its transaction itself: it must not contain COMMIT or ROLLBACK.`);
  await requireNoOlderServer(session, migration, true);
  // For people who read the table.
  const note = `INSERT INTO schema_migrations (version, name, sha256, applied_at)
    VALUES ($1, $2, $3, floor(extract(epoch FROM clock_timestamp()) * 1000))`;
  await session.query(note, [version, name, sha256]);
  if (oldestServer !== undefined)
    await session.query('UPDATE schema_migrations SET oldest_server = $2 WHERE version = $1', [version, oldestServer]);
}
