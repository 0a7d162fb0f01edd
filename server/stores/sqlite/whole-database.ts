import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { DatabaseUnusable } from '#server/stores/system/database-unusable.ts';
import { damaged } from './database-errors.ts';

/** A database up to this size is read whole at a start, which takes at most 0.1 s. */
const readWholeBytes = 16 * 1024 * 1024;

/**
 * The size of the file's header.
 *
 * @see https://www.sqlite.org/fileformat.html#the_database_header
 */
const headerBytes = 100;

/**
 * Checks that the file was not cut off. SQLite itself would notice only when somebody reads a lost page. Call it before
 * this process opens the database: with POSIX locks, closing any descriptor of a file frees all locks of the process on
 * it.
 *
 * @throws {DatabaseUnusable}
 */
export function requireUncut(path: string): void {
  // A log may still hold what the file lacks.
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return;
    // If these differ, the last program that wrote does not know the size field.
    if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return;
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const missingBytes = header.readUInt32BE(28) * pageBytes - fstatSync(file).size;
    if (missingBytes > 0) throw new DatabaseUnusable(damaged(path, `its last ${missingBytes} bytes are missing`));
  } finally {
    closeSync(file);
  }
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
