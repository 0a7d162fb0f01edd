import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** `0001-accounts.sql`: four digits, a hyphen, words in lower case. */
const FILE_NAME = /^(\d{4})-([a-z0-9]+(?:-[a-z0-9]+)*)\.sql$/;

/** The database and the migrations of this code do not fit together. The message says why. Nothing was changed. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

export interface Migration {
  readonly version: number;
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** A migration that a database lacks. */
export interface PlannedMigration {
  readonly name: string;
  /** How long it took on a copy; null if it was not tried. */
  readonly durationMs: number | null;
}

/** A migration that a database has had. */
export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'sha256'>;

/**
 * Reads the migrations of a folder, in their order.
 *
 * @throws {MigrationRefused} when a file is named wrongly or a number is missing
 */
export function readMigrations(folder: string | URL): Migration[] {
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

/**
 * Returns the migrations that a database lacks.
 *
 * @param applied those that it has had, in their order
 * @throws {MigrationRefused} when the database is newer than the code or was made by other migrations
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): readonly Migration[] {
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
