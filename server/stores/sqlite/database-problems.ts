import { openReader } from './connection.ts';

/** Problems of each kind that are shown. */
const mostShown = 100;

/**
 * Reads the whole database, which blocks this thread. Returns what SQLite finds wrong, one sentence each.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_integrity_check
 */
export function databaseProblems(path: string): string[] {
  const db = openReader(path);
  try {
    const found = db.prepare(`PRAGMA integrity_check(${mostShown})`).all();
    const problems = found.map((row) => String(row.integrity_check)).filter((text) => text !== 'ok');
    const dangling = db.prepare('PRAGMA foreign_key_check').all().slice(0, mostShown);
    return [
      ...problems.map((text) => `SQLite: ${text.replaceAll('\n', ' ')}. Restore the last backup.`),
      ...dangling.map(
        ({ table, rowid, parent }) => `A row of ${table} (${rowid ?? 'without rowid'}) refers to none of ${parent}.`,
      ),
    ];
  } finally {
    db.close();
  }
}
