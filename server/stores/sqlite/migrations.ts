import type { DatabaseSync } from 'node:sqlite';

import {
  missingMigrations,
  readMigrations,
  type AppliedMigration,
  type Migration,
} from '#server/stores/system/migration-files.ts';
import { schemaParts } from '#server/stores/tables/schema-parts.ts';
import { hasTable, inTransaction, waitingForLocks } from './connection.ts';

/** Returns the migrations of the product: its schema, and what has changed since. */
export function productMigrations(): Migration[] {
  return readMigrations(
    new URL('.', import.meta.url),
    schemaParts('sqlite').map(({ file }) => file),
  );
}

/** How long a process waits for another one that migrates the same database. */
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Brings the database to the version of this code, each migration in a transaction of its own. Several processes may
 * do so at once: each migration is applied by one of them. May be called again, before a `Writer` owns the connection.
 *
 * Migrations run with foreign keys off, so that a table can be rebuilt without deleting its children. A migration that
 * leaves a reference to nowhere is rejected at its end.
 *
 * @param onApplied called after each migration of this call, with its duration
 * @returns the names that this call applied, in order, and the version since
 * @throws {MigrationRefused} when the database is newer than the code or was made by other migrations
 * @throws an error in a migration's SQL, which undoes that migration
 * @see https://www.sqlite.org/lang_altertable.html section 7, "Making Other Kinds Of Table Schema Changes"
 */
export function migrate(
  db: DatabaseSync,
  migrations: readonly Migration[] = productMigrations(),
  onApplied: (name: string, durationMs: number) => void = () => {},
): { applied: string[]; version: number } {
  const applied: string[] = [];
  const applyNext = () => {
    const next = unapplied(db, migrations)[0]; // read again: another process may have applied it meanwhile
    if (next === undefined) return;
    apply(db, next);
    applied.push(next.name);
  };
  waitingForLocks(db, LOCK_TIMEOUT_MS, () =>
    withoutForeignKeys(db, () => {
      while (unapplied(db, migrations).length > 0) {
        const startedAt = performance.now();
        const before = applied.length;
        inTransaction(db, applyNext);
        if (applied.length > before) onApplied(applied.at(-1)!, performance.now() - startedAt);
      }
    }),
  );
  return { applied, version: migrations.length };
}

/** Returns the names of the migrations that a database lacks. @throws {MigrationRefused} */
export function pendingMigrations(db: DatabaseSync, migrations = productMigrations()): string[] {
  return unapplied(db, migrations).map(({ name }) => name);
}

function unapplied(db: DatabaseSync, migrations: readonly Migration[]): readonly Migration[] {
  return missingMigrations(appliedMigrations(db), migrations);
}

function appliedMigrations(db: DatabaseSync): AppliedMigration[] {
  if (!hasTable(db, 'schema_migrations')) return [];
  const rows = db.prepare('SELECT version, name, sha256 FROM schema_migrations ORDER BY version').all();
  return rows as unknown as AppliedMigration[];
}

function apply(db: DatabaseSync, { version, name, sql, sha256 }: Migration): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version    INTEGER PRIMARY KEY,
      name       TEXT NOT NULL,
      sha256     TEXT NOT NULL,
      applied_at INTEGER NOT NULL
    ) STRICT
  `);
  db.exec(sql);
  if (!db.isTransaction)
    throw new Error(`Migration ${name} ends its transaction itself: it must not contain COMMIT or ROLLBACK.`);
  const dangling = db.prepare('PRAGMA foreign_key_check').get();
  if (dangling !== undefined)
    throw new Error(
      `Migration ${name} leaves rows of ${dangling.table} that refer to rows of ${dangling.parent} that do not exist.`,
    );
  // For people who read the table, so the clock of the database is good enough.
  db.prepare("INSERT INTO schema_migrations VALUES (?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))").run(
    version,
    name,
    sha256,
  );
}

/** Runs `work` with foreign keys off. They cannot be switched inside a transaction, so call it outside of one. */
function withoutForeignKeys(db: DatabaseSync, work: () => void): void {
  const before = db.prepare('PRAGMA foreign_keys').get()!.foreign_keys;
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    work();
  } finally {
    db.exec(`PRAGMA foreign_keys = ${before}`);
  }
}
