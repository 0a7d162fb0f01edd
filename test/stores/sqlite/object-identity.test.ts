import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { openWriter } from '#server/stores/sqlite/connection.ts';
import { migrate } from '#server/stores/sqlite/migrations.ts';
import { SqliteRows } from '#server/stores/sqlite/rows.ts';
import { legacyImportsTable } from '#server/stores/tables/legacy-imports.ts';
import { objectsTable } from '#server/stores/tables/objects.ts';

const accountId = '204815162342108999';
const product = new URL('../../../server/stores/sqlite/migrations/', import.meta.url);

/** Makes a database from before suffixes were stored, with a public, a private and a legacy file. */
function olderDatabase() {
  const root = mkdtempSync(join(tmpdir(), 'cubby-identity-'));
  const folder = join(root, 'migrations');
  mkdirSync(folder);
  for (const file of readdirSync(product).filter((name) => name < '0009'))
    copyFileSync(new URL(file, product), join(folder, file));
  const db = openWriter(join(root, 'cubby.db'));
  onTestFinished(() => {
    db.close();
    rmSync(root, { recursive: true });
  });
  migrate(db, folder);
  db.exec(`INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('${accountId}', 'a', 'pro', 1);
    INSERT INTO contents VALUES ('content', 3, 3);
    INSERT INTO objects (account_id, space, key, content_id, size_bytes, etag, sha256, created_at, expires_at, original_name, metadata) VALUES
      ('${accountId}', 0, 'report.v1-ex30.gz', 'content', 3, 'e', 'f', 1, 9, 'x.gz', '{}'),
      ('${accountId}', 1, 'a_abcdefghijklmnop.png', 'content', 3, 'e', 'f', 1, NULL, 'a.png', '{}'),
      ('${accountId}', 2, 'a_abcdefghijklmnop.png', 'content', 3, 'e', 'f', 1, NULL, 'a.png', '{}')`);
  migrate(db);
  return db;
}

it('older files get a generation each, and a suffix that is read from their key', async () => {
  const db = olderDatabase();
  const objects = objectsTable(new SqliteRows(() => db));
  const found = await Promise.all([
    objects.find({ accountId, space: 'public', key: 'report.v1-ex30.gz' }),
    objects.find({ accountId, space: 'private', key: 'a_abcdefghijklmnop.png' }),
    objects.find({ accountId, space: 'legacy', key: 'a_abcdefghijklmnop.png' }),
  ]);
  expect(found.map((object) => object!.suffix)).toEqual([
    { hash: null, mark: 'ex30', extension: 'gz' },
    { hash: 'abcdefghijklmnop', mark: null, extension: 'png' },
    { hash: null, mark: null, extension: 'png' },
  ]);
  const generations = found.map((object) => object!.generation);
  expect(generations).toEqual(found.map(() => expect.stringMatching(/^[0-9a-f]{26}$/)));
  expect(new Set(generations).size).toBe(3);
});

it('older legacy files count as imported', async () => {
  const db = olderDatabase();
  const imports = legacyImportsTable(new SqliteRows(() => db));
  expect(await imports.find({ accountId, key: 'a_abcdefghijklmnop.png' })).toEqual({
    accountId,
    key: 'a_abcdefghijklmnop.png',
    sha256: 'f',
  });
  expect(await imports.find({ accountId, key: 'report.v1-ex30.gz' })).toBeUndefined();
});
