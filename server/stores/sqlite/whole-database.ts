import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { missingBytes } from '#server/internals/sqlite-3.ts';
import { DatabaseUnusable } from '#server/stores/system/database-unusable.ts';
import { damaged } from './database-errors.ts';

/** A database up to this size is read whole at a start, which takes at most 0.1 s. */
const readWholeBytes = 16 * 1024 * 1024;

/**
 * Checks that the file was not cut off. SQLite itself would notice only when somebody reads a lost page. Call it before
 * this process opens the database: with POSIX locks, closing any descriptor of a file frees all locks of the process on
 * it.
 *
 * @throws {DatabaseUnusable}
 */
export function requireUncut(path: string): void {
  const missing = missingBytes(path);
  if (missing > 0) throw new DatabaseUnusable(damaged(path, `its last ${missing} bytes are missing`));
}

/**
 * Reads a small database whole, and looks for damaged pages.
 *
 * @throws {DatabaseUnusable}
 */
export function requireSound(db: DatabaseSync, path: string): void {
  if (statSync(path).size > readWholeBytes) return;
  const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new DatabaseUnusable(damaged(path, `SQLite: ${String(found).replaceAll('\n', ' ')}`));
}
