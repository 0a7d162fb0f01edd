import { productMigrations } from '#server/stores/postgres/migrations.ts';
import { migrationOf, type Migration } from '#server/stores/system/migration-files.ts';

/** The name of a migration's file and its SQL. */
export type MigrationFile = readonly [name: string, sql: string];

/** Returns migrations with these files, the first of them as number 1. */
export function migrationsOf(...files: readonly MigrationFile[]): Migration[] {
  return files.map(([name, sql]) => migrationOf(Number(name.slice(0, 4)), name.replace(/\.sql$/, ''), sql));
}

/** Returns the migrations of the product and these. */
export function productAnd(...files: readonly MigrationFile[]): Migration[] {
  return [...productMigrations(), ...migrationsOf(...files)];
}
