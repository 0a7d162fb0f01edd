import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { damaged, DatabaseUnusable } from './database-errors.ts';

/** A database up to this size is read whole at a start: it takes a tenth of a second at the most. */
const readWholeBytes = 16 * 1024 * 1024;

/** Of the file's header. @see https://www.sqlite.org/fileformat.html#the_database_header */
const headerBytes = 100;

/**
 * Looks whether the file was cut off, which SQLite itself would meet only when somebody asks for what is lost. Nothing
 * of this process may have the database open: with POSIX locks, closing any descriptor of a file frees all that the
 * process has on it.
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
    // Where these differ, a program that does not know the field has written last.
    if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return;
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const missingBytes = header.readUInt32BE(28) * pageBytes - fstatSync(file).size;
    if (missingBytes > 0) throw new DatabaseUnusable(damaged(path, `its last ${missingBytes} bytes are missing`));
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a small database whole, and looks for pages that cannot be right.
 *
 * @throws {DatabaseUnusable}
 */
export function requireSound(db: DatabaseSync, path: string): void {
  if (statSync(path).size > readWholeBytes) return;
  const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new DatabaseUnusable(damaged(path, `SQLite: ${String(found).replaceAll('\n', ' ')}`));
}
