import { closeSync, copyFileSync, fdatasyncSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it, onTestFinished } from 'vitest';

import { cutLog, missingBytes, openLog } from '#server/internals/sqlite-3.ts';

/** Opens a database whose log is not copied by itself, with one table. */
function opened(): { db: DatabaseSync; path: string; pages: () => number; pageBytes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'cubby-sqlite-'));
  const path = join(folder, 'a.db');
  const db = new DatabaseSync(path);
  onTestFinished(() => {
    if (db.isOpen) db.close();
    rmSync(folder, { recursive: true });
  });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE notes (text TEXT)');
  const pages = () => Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()!.log);
  return { db, path, pages, pageBytes: Number(db.prepare('PRAGMA page_size').get()!.page_size) };
}

const add = (db: DatabaseSync, text: string) => void db.prepare('INSERT INTO notes VALUES (?)').run(text);

/** Returns what a program finds that opens the files after a crash. */
function afterCrash(path: string): unknown[] {
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  const db = new DatabaseSync(copy);
  try {
    return db
      .prepare('SELECT text FROM notes')
      .all()
      .map(({ text }) => text);
  } finally {
    db.close();
  }
}

describe('cutLog()', () => {
  it('removes exactly the commits behind a page, and SQLite writes on there', () => {
    const { db, path, pages, pageBytes } = opened();
    add(db, 'first');
    const kept = pages();
    expect(statSync(`${path}-wal`).size).toBe(32 + kept * (24 + pageBytes));
    // What a failed commit leaves: pages behind the last one that SQLite knows.
    const other = new DatabaseSync(path);
    add(other, 'second');
    other.close();
    expect(afterCrash(path)).toEqual(['first', 'second']);
    cutLog(path, { pages: kept, pageBytes });
    expect(afterCrash(path)).toEqual(['first']);
  });

  it('changes nothing that SQLite knows when it cuts behind its last page', () => {
    const { db, path, pages, pageBytes } = opened();
    add(db, 'first');
    cutLog(path, { pages: pages(), pageBytes });
    add(db, 'second');
    expect(afterCrash(path)).toEqual(['first', 'second']);
  });
});

it('openLog() opens a file that stays the log of the database', () => {
  const { db, path } = opened();
  const log = openLog(path);
  add(db, 'first');
  fdatasyncSync(log);
  closeSync(log);
  // Closing it freed no lock: another connection cannot write meanwhile.
  db.exec('BEGIN IMMEDIATE');
  const other = new DatabaseSync(path, { timeout: 0 });
  expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('locked');
  other.close();
  db.exec('COMMIT');
});

describe('missingBytes()', () => {
  it('returns what was cut off a database file', () => {
    const { db, path, pageBytes } = opened();
    for (let count = 0; count < 100; count++) add(db, 'x'.repeat(1000));
    db.close();
    expect(missingBytes(path)).toBe(0);
    truncateSync(path, statSync(path).size - pageBytes - 7);
    expect(missingBytes(path)).toBe(pageBytes + 7);
  });

  it('returns 0 while a log may hold what the file lacks', () => {
    const { db, path } = opened();
    add(db, 'first');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(missingBytes(path)).toBe(0);
  });
});
