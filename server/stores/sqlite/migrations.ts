import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { inTransaction, waitingForLocks } from './connection.ts';

/** The migrations of the product. */
const PRODUCT_MIGRATIONS = new URL('migrations/', import.meta.url);

/** `0001-accounts.sql`: four digits, a hyphen, words in lower case. */
const FILE_NAME = /^(\d{4})-([a-z0-9]+(?:-[a-z0-9]+)*)\.sql$/;

/** How long a process waits for another one that migrates the same database. */
const LOCK_TIMEOUT_MS = 30_000;

/** The database and the migrations of this code do not fit together. The message says why. Nothing was changed. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

interface Migration {
  readonly version: number;
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/**
 * Brings the database to the version of this code, each migration in a transaction of its own. Several processes may
 * do so at once: each migration is applied by one of them. May be called again, before a `Writer` owns the connection.
 *
 * Migrations run with foreign keys off, so that a table can be rebuilt without deleting its children. A migration that
 * leaves a reference to nowhere is rejected at its end.
 *
 * @returns the names that this call applied, in order, and the version since
 * @throws {MigrationRefused} when the database is newer than the code or was made by other migrations
 * @throws an error in a migration's SQL, which undoes that migration
 * @see https://www.sqlite.org/lang_altertable.html section 7, "Making Other Kinds Of Table Schema Changes"
 */
export function migrate(
  db: DatabaseSync,
  folder: string | URL = PRODUCT_MIGRATIONS,
): { applied: string[]; version: number } {
  const migrations = readMigrations(folder);
  const applied: string[] = [];
  const applyNext = () => {
    const next = unapplied(db, migrations)[0]; // read again: another process may have applied it meanwhile
    if (next === undefined) return;
    apply(db, next);
    applied.push(next.name);
  };
  waitingForLocks(db, LOCK_TIMEOUT_MS, () =>
    withoutForeignKeys(db, () => {
      while (unapplied(db, migrations).length > 0) inTransaction(db, applyNext);
    }),
  );
  return { applied, version: migrations.length };
}

function readMigrations(folder: string | URL): Migration[] {
  const base = folder instanceof URL ? folder : `${folder}/`;
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const version = Number(FILE_NAME.exec(file)?.[1]);
    if (Number.isNaN(version)) throw new MigrationRefused(`The migration ${file} is not named like 0001-accounts.sql.`);
    if (version !== index + 1)
      throw new MigrationRefused(
        `The migrations have a gap or a number twice: ${file} stands where number ${index + 1} should.`,
      );
    // The same file has the same hash whatever line endings the checkout uses.
    const sql = readFileSync(base instanceof URL ? new URL(file, base) : base + file, 'utf8').replaceAll('\r\n', '\n');
    return {
      version,
      name: file.slice(0, -'.sql'.length),
      sql,
      sha256: createHash('sha256').update(sql).digest('hex'),
    };
  });
}

function unapplied(db: DatabaseSync, migrations: readonly Migration[]): Migration[] {
  const applied = appliedMigrations(db);
  if (applied.length > migrations.length) {
    throw new MigrationRefused(
      `The database is at version ${applied.length}, but this Cubby knows only ${migrations.length}: a newer Cubby has used it. ` +
        'Start that version, or restore a backup from before the upgrade.',
    );
  }
  applied.forEach((row, index) => {
    const migration = migrations[index]!;
    if (row.version !== migration.version)
      throw new MigrationRefused(
        `The database lacks migration ${index + 1} but has ${row.name}: it was altered by hand.`,
      );
    if (row.name !== migration.name)
      throw new MigrationRefused(
        `Migration ${row.version} was applied as ${row.name} and is now called ${migration.name}: an applied migration must not be renamed.`,
      );
    if (row.sha256 !== migration.sha256)
      throw new MigrationRefused(
        `The file of migration ${row.name} was changed after it was applied: write a new migration instead.`,
      );
  });
  return migrations.slice(applied.length);
}

function appliedMigrations(db: DatabaseSync): Array<{ version: number; name: string; sha256: string }> {
  const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'").get();
  if (exists === undefined) return [];
  const rows = db.prepare('SELECT version, name, sha256 FROM schema_migrations ORDER BY version').all();
  return rows as Array<{ version: number; name: string; sha256: string }>;
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
