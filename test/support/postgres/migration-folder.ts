import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** The name of a migration's file and its SQL. */
export type MigrationFile = readonly [name: string, sql: string];

const product = join(import.meta.dirname, '../../../server/stores/postgres/migrations');

/** Returns a folder with these migrations. It is removed when the test ends. */
export async function folderWith(...files: readonly MigrationFile[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, sql] of files) await writeFile(join(folder, name), sql);
  return folder;
}

/** Returns a folder with the migrations of the product and these. */
export async function productAnd(...files: readonly MigrationFile[]): Promise<string> {
  const folder = await folderWith(...files);
  await cp(product, folder, { recursive: true });
  return folder;
}
