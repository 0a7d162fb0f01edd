import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** `0002-file-notes.sql`: four digits, a hyphen, a name in lower case. */
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
 * Reads the migrations of an engine, in their order. The first one makes the schema of the first release, from its
 * parts. The others are the files of `migrations/`, from `0002-….sql` on.
 *
 * @param engine the folder of the engine, with a slash at its end
 * @param parts the files of the parts, in their order
 * @throws {MigrationRefused} when a file is named wrongly or a number is missing
 */
export function readMigrations(engine: URL, parts: readonly URL[]): Migration[] {
  const schema = parts.map(readText).join('\n');
  const folder = new URL('migrations/', engine);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sql')) : [];
  const later = files.sort().map((file, index) => {
    const version = Number(FILE_NAME.exec(file)?.[1]);
    if (Number.isNaN(version))
      throw new MigrationRefused(`The migration ${file} is not named like 0002-file-notes.sql.`);
    if (version !== index + 2)
      throw new MigrationRefused(
        `The migrations have a gap or a number twice: ${file} stands where number ${index + 2} should.`,
      );
    return migrationOf(version, file.slice(0, -'.sql'.length), readText(new URL(file, folder)));
  });
  return [migrationOf(1, '0001-schema', schema), ...later];
}

/** Returns a migration of the given SQL. */
export function migrationOf(version: number, name: string, sql: string): Migration {
  return { version, name, sql, sha256: hash('sha256', sql, 'hex') };
}

/** Reads a file. It has the same hash whatever line endings the checkout uses. */
function readText(file: URL): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
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
  // The schema of the first release never changes, so no release has made this one.
  if (applied[0] && applied[0].sha256 !== migrations[0]!.sha256)
    throw new MigrationRefused(
      'The database was made by an unreleased version of Cubby and cannot be upgraded: start ' +
        'this version with an empty ' +
        'data folder or database, and copy the files from the old version with an S3 client.',
    );
  if (applied.length > migrations.length) {
    throw new MigrationRefused(
      `The database is at version ${applied.length}, but this Cubby knows only ${migrations.length}: a newer ` +
        'Cubby has used it. ' +
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
        `Migration ${row.version} was applied as ${row.name} and is now called ${migration.name}: an applied ` +
          'migration must not be renamed.',
      );
    if (row.sha256 !== migration.sha256)
      throw new MigrationRefused(
        `The file of migration ${row.name} was changed after it was applied: write a new migration instead.`,
      );
  });
  return migrations.slice(applied.length);
}
