/**
 * The files of SQLite 3 that are read or changed without SQLite. Their form is published, but changing them while
 * SQLite has them open is not foreseen.
 *
 * @see https://www.sqlite.org/fileformat.html
 */
import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

/** The log is a header, then frames of a header and a page. */
const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** The header of a database file. */
const headerBytes = 100;

/**
 * Opens the log of a database to sync it.
 *
 * Why: SQLite syncs it inside COMMIT, on the thread that serves requests. Here threads wait for the disk, and a sync
 * serves all commits since the last one.
 *
 * What would break: the file exists as long as a connection does. SQLite keeps no locks on it, which closing any
 * descriptor would free.
 */
export function openLog(path: string): number {
  return openSync(logOf(path), 'r+');
}

/**
 * Shortens the log behind so many pages. Needs no space on the disk.
 *
 * Why: SQLite writes all pages of a commit before it enters them in the log's index. If the index cannot grow, on a
 * full disk, the commit fails and its pages stay. The next start would take them for committed. The public way, a
 * checkpoint that truncates, needs space in the database file.
 *
 * What would break: the sizes of the headers, and that SQLite overwrites what follows its last page.
 *
 * @throws the system's error
 */
export function cutLog(
  path: string,
  { pages, pageBytes }: { readonly pages: number; readonly pageBytes: number },
): void {
  truncateSync(logOf(path), logHeaderBytes + pages * (frameHeaderBytes + pageBytes));
}

/**
 * Returns how many bytes a database file lacks at its end. Returns 0 if a log may still hold them.
 *
 * Why: SQLite notices only when somebody reads a lost page. `PRAGMA quick_check` does, and reads the whole file.
 *
 * What would break: closing the file frees all POSIX locks of the process on it, so call it before SQLite opens it.
 */
export function missingBytes(path: string): number {
  if ((statSync(logOf(path), { throwIfNoEntry: false })?.size ?? 0) > 0) return 0;
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return 0;
    // If these differ, the last program that wrote does not know the size field.
    if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return 0;
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    return Math.max(0, header.readUInt32BE(28) * pageBytes - fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function logOf(path: string): string {
  return `${path}-wal`;
}
