import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { migrate } from '#server/stores/sqlite/migrations.ts';
import { openWriter } from '#server/stores/sqlite/connection.ts';
import { readMigrations } from '#server/stores/system/migration-files.ts';
import { openOlderDatabase } from '#test/support/older-database.ts';
import type { DatabaseSync } from 'node:sqlite';

const product = new URL('../../../server/stores/sqlite/migrations/', import.meta.url);
const migrations = readMigrations(product);

/** Rows that the first version could have, and every later one too. */
const rowsOfFirstVersion = `
  INSERT INTO accounts (account_id, name, plan, created_at, used_bytes, used_objects) VALUES ('a', 'old', 'pro', 5, 7, 2);
  INSERT INTO api_keys (key_id, account_id, name, hash, last4, scopes, created_at)
    VALUES ('k', 'a', 'key', x'01', 'abcd', '["*"]', 6);
  INSERT INTO contents (content_id, size_bytes, pointing_rows) VALUES ('c', 4, 1), ('d', 3, 1);
  INSERT INTO content_blobs (content_id, position, blob_id, size_bytes, inline)
    VALUES ('c', 0, 'b', 4, NULL), ('d', 0, 'i', 3, x'010203');
  INSERT INTO objects (account_id, space, key, content_id, size_bytes, etag, sha256, created_at, metadata)
    VALUES ('a', 0, 'one.png', 'c', 4, 'e', NULL, 8, '{}'), ('a', 1, 'two.png', 'd', 3, 'f', 'aa', 9, '{"x":"1"}');
  INSERT INTO doomed_blobs VALUES ('gone');
  INSERT INTO reservations (reservation_id, account_id, size_bytes, blob_id) VALUES ('r', 'a', 11, 'under-way');
  INSERT INTO limit_windows VALUES ('l', 1, 2, 3);`;

/** Tables, indexes and triggers, as SQLite keeps their SQL. */
function schemaOf(db: DatabaseSync): unknown[] {
  const rows = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all();
  return rows.map((row) => JSON.stringify(row)).sort();
}

const kept = [
  'SELECT account_id, name, plan, created_at, used_bytes, used_objects FROM accounts',
  'SELECT key_id, account_id, name, hash, last4, scopes, created_at FROM api_keys',
  'SELECT content_id, size_bytes, pointing_rows FROM contents ORDER BY content_id',
  'SELECT content_id, position, blob_id, size_bytes, inline FROM content_blobs ORDER BY content_id',
  'SELECT account_id, space, key, content_id, size_bytes, etag, sha256, created_at, metadata FROM objects ORDER BY key',
  'SELECT blob_id FROM doomed_blobs',
  'SELECT reservation_id, account_id, size_bytes, blob_id FROM reservations',
  'SELECT key, used, ends_at, blocked_until FROM limit_windows',
];

const rowsOf = (db: DatabaseSync) =>
  kept.map((sql) =>
    db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row })),
  );

describe('an upgrade', () => {
  it.each(migrations.slice(1).map(({ name }) => name.replace(/^\d+-/, '')))(
    'from the version before %s keeps all rows and ends in the schema of a new database',
    (before) => {
      const { db } = openOlderDatabase(before);
      db.exec(rowsOfFirstVersion);
      const rows = rowsOf(db);
      const { version } = migrate(db);
      expect(version).toBe(migrations.length);
      expect(rowsOf(db)).toEqual(rows);
      expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      const fresh = openOlderDatabase(migrations[1]!.name.replace(/^\d+-/, ''));
      const anew = openWriter(join(fresh.dataDir, 'new.db'), false);
      migrate(anew);
      expect(schemaOf(db)).toEqual(schemaOf(anew));
      anew.close();
    },
  );
});
