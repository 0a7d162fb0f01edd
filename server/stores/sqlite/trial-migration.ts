import { join } from 'node:path';
import { backup } from 'node:sqlite';

import type { PlannedMigration } from '#server/stores/system/migration-files.ts';
import { openReader, openWriter } from './connection.ts';
import { migrate, pendingMigrations } from './migrations.ts';

/**
 * Brings a copy of the database up to date, on the same disk. The database itself is only read.
 *
 * @param folder for the copy, which the caller removes
 * @throws {MigrationRefused}
 */
export async function tryMigrations(path: string, folder: string): Promise<PlannedMigration[]> {
  const reader = openReader(path);
  const copy = join(folder, 'trial.db');
  try {
    if (pendingMigrations(reader).length === 0) return [];
    await backup(reader, copy, { rate: 2 ** 31 - 1 });
  } finally {
    reader.close();
  }
  const planned: PlannedMigration[] = [];
  using writer = openWriter(copy);
  migrate(writer, undefined, (name, durationMs) => planned.push({ name, durationMs }));
  return planned;
}
