import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { SqliteRows } from '#server/stores/sqlite/rows.ts';
import { apiKeysTable } from '#server/stores/tables/api-keys.ts';
import { chunkedUploadsTable } from '#server/stores/tables/chunked-uploads.ts';
import { openWriter } from '#server/stores/sqlite/connection.ts';
import { migrate } from '#server/stores/sqlite/migrations.ts';

const accountId = '204815162342108999';
const product = new URL('../../../server/stores/sqlite/migrations/', import.meta.url);

/** Makes a database from before the S3 gateway, with two keys and an upload of two parts. */
function olderDatabase() {
  const root = mkdtempSync(join(tmpdir(), 'cubby-s3-'));
  const folder = join(root, 'migrations');
  mkdirSync(folder);
  const s3 = readdirSync(product).find((name) => name.endsWith('-s3.sql'))!;
  for (const file of readdirSync(product).filter((name) => name < s3))
    copyFileSync(new URL(file, product), join(folder, file));
  const db = openWriter(join(root, 'cubby.db'));
  onTestFinished(() => {
    db.close();
    rmSync(root, { recursive: true });
  });
  migrate(db, folder);
  db.exec(`INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('${accountId}', 'a', 'pro', 1);
    INSERT INTO api_keys (key_id, account_id, name, hash, last4, scopes, created_at) VALUES
      ('key-1', '${accountId}', 'a', x'01', 'abcd', '["*"]', 1), ('key-2', '${accountId}', 'b', x'02', 'abcd', '["*"]', 2);
    INSERT INTO chunked_uploads (upload_id, account_id, space, key, extension, may_replace, metadata, state, started_at, active_at, stored_bytes)
      VALUES ('upload', '${accountId}', 0, 'a', '', 1, '{}', 'open', 1, 2, 7);
    INSERT INTO chunked_parts VALUES ('upload', 1, 2, 'blob-1', 4, 'm1', NULL), ('upload', 2, 1, 'blob-2', 3, 'm2', x'010203')`);
  migrate(db);
  return db;
}

it('older parts are kept, and removed with their upload', async () => {
  const db = olderDatabase();
  const uploads = chunkedUploadsTable(new SqliteRows(() => db), { onMarkedForDeletion: () => {} });
  expect((await uploads.find('upload'))!.listed).toBeNull();
  expect(await uploads.partsOf('upload', 0, 10)).toEqual([
    { part: 1, sequence: 2, blob: { blobId: 'blob-1', sizeBytes: 4, isInline: false }, md5: 'm1', receivedAt: 0 },
    { part: 2, sequence: 1, blob: { blobId: 'blob-2', sizeBytes: 3, isInline: true }, md5: 'm2', receivedAt: 0 },
  ]);
  db.exec('DELETE FROM chunked_uploads');
  expect(await uploads.partsOf('upload', 0, 10)).toEqual([]);
});

it('older keys get a salt each', async () => {
  const db = olderDatabase();
  const keys = await apiKeysTable(new SqliteRows(() => db)).listOf(accountId);
  expect(keys.map(({ s3Salt, s3Check }) => [s3Salt, s3Check])).toEqual(
    keys.map(() => [expect.stringMatching(/^[A-Z0-9]{16}$/), null]),
  );
  expect(new Set(keys.map(({ s3Salt }) => s3Salt)).size).toBe(2);
});
