import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { MigrationFile } from '#test/support/postgres/migration-folder.ts';

const root = join(import.meta.dirname, '../..');

/** What a later version has changed. */
export interface Changes {
  readonly migrations: readonly MigrationFile[];
  /** Texts of the server's code that are different, each in one file. */
  readonly code?: ReadonlyArray<{ readonly file: string; readonly from: string; readonly to: string }>;
}

/**
 * Makes an installation of a later version: a copy of this one in a folder of its own, with changes. It is removed when
 * the test ends.
 *
 * @returns the entry of its server, for `spawnServer()`
 */
export async function newerCubby({ migrations, code = [] }: Changes): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-newer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // The server, and the entry for tests with what it imports.
  for (const name of ['package.json', 'server', 'generated', 'test/faults', 'test/support'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, sql] of migrations) await writeFile(join(folder, 'server/stores/postgres/migrations', name), sql);
  for (const { file, from, to } of code) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}: choose another text to change.`);
    await writeFile(path, text.replace(from, to));
  }
  return join(folder, 'test/faults/server-process.js');
}
