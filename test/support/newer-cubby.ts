import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { MigrationFile } from '#test/support/postgres/later-migrations.ts';

const root = join(import.meta.dirname, '../..');

/** What a later version has changed. */
export interface Changes {
  readonly migrations: readonly MigrationFile[];
  /** The engine that they are for. Default: PostgreSQL. */
  readonly engine?: 'postgres' | 'sqlite';
  /** Texts of the server's code that are different, each in one file. */
  readonly code?: ReadonlyArray<{ readonly file: string; readonly from: string; readonly to: string }>;
}

/** The programs of another version. */
export interface NewerCubby {
  /** The entry of its server, for `spawnServer()`. */
  readonly entry: string;
  /** The entry of its command line, for `cubbyOver()`. */
  readonly commands: string;
}

/**
 * Makes an installation of a later version: a copy of this one in a folder of its own, with changes. It is removed when
 * the test ends.
 */
export async function newerCubby({ migrations, engine = 'postgres', code = [] }: Changes): Promise<NewerCubby> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-newer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // The server, and the entry for tests with what it imports.
  for (const name of ['package.json', 'server', 'generated', 'uploader', 'test/faults', 'test/support'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const place = join(folder, 'server/stores', engine, 'migrations');
  await mkdir(place, { recursive: true });
  for (const [name, sql] of migrations) await writeFile(join(place, name), sql);
  for (const { file, from, to } of code) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}: choose another text to change.`);
    await writeFile(path, text.replace(from, to));
  }
  return { entry: join(folder, 'test/faults/server-process.js'), commands: join(folder, 'server/cli/main.js') };
}
