import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { onTestFinished } from 'vitest';

import { openWriter } from '#server/stores/sqlite/connection.ts';
import { migrate } from '#server/stores/sqlite/migrations.ts';

const product = new URL('../../server/stores/sqlite/migrations/', import.meta.url);

/** A database of an earlier version. */
export interface OlderDatabase {
  /** Its data folder, which is removed when the test ends. */
  readonly dataDir: string;
  readonly db: DatabaseSync;
}

/**
 * Makes a data folder whose database has only the migrations before the given one. `migrate()` applies the rest.
 *
 * @param migration its name without the number, because numbers can change when branches are merged
 */
export function openOlderDatabase(migration: string): OlderDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'cubby-older-'));
  const folder = join(dataDir, 'older-migrations');
  mkdirSync(folder);
  const files = readdirSync(product).toSorted();
  for (const file of files.slice(
    0,
    files.findIndex((name) => name.endsWith(`-${migration}.sql`)),
  ))
    copyFileSync(new URL(file, product), join(folder, file));
  const db = openWriter(join(dataDir, 'cubby.db'));
  onTestFinished(() => {
    if (db.isOpen) db.close();
    rmSync(dataDir, { recursive: true });
  });
  migrate(db, folder);
  return { dataDir, db };
}
