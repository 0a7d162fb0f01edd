import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';
import { cubbyHere, temporaryFolder } from './cubby.ts';

const secret = 'the words of a deleted file, line';

/** Whether a file of the database, or its log, holds bytes of the deleted files. */
function holdsSecret(database: string): boolean {
  return [database, `${database}-wal`].some((path) => existsSync(path) && readFileSync(path).includes(secret));
}

it('store shrink makes the database smaller, and leaves nothing of deleted files in it', async () => {
  const dataDir = await temporaryFolder();
  const cubby = cubbyHere(dataDir);
  const database = join(dataDir, 'cubby.db');
  const server = await startTestServer({ dataDir, ownStores: true });
  const account = await server.account();
  const bytes = Buffer.from('kept '.repeat(200));
  const kept = (await upload(server, account, { bytes })).json().response;
  const deleted: string[] = [];
  for (let at = 0; at < 60; at++) {
    const text = Buffer.from(`${secret} ${at}\n`.repeat(300));
    const { id } = (await upload(server, account, { bytes: text, query: { name: `deleted${at}` } })).json().response;
    deleted.push(id);
  }
  expect(await cubby('store', 'shrink')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Another Cubby server is running'),
  });
  await server.stop();

  // Versions that did not overwrite deleted rows left them in unused pages.
  const old = new DatabaseSync(database);
  old.exec('PRAGMA secure_delete = OFF; CREATE TABLE leftover (text TEXT)');
  const insert = old.prepare('INSERT INTO leftover VALUES (?)');
  for (let at = 0; at < 200; at++) insert.run(`${secret} of a version before, ${at} `.repeat(60));
  old.exec('DROP TABLE leftover');
  old.close();
  const again = await startTestServer({ dataDir, ownStores: true });
  const { credential } = account;
  await again.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ objects: deleted }) });
  await again.stop();
  const before = statSync(database).size;
  expect(holdsSecret(database)).toBe(true);

  const { before_bytes, after_bytes } = await cubby.json('store', 'shrink');
  expect(before_bytes).toBe(before);
  expect(statSync(database).size).toBe(after_bytes);
  // At least what was written and deleted here.
  expect(before - after_bytes).toBeGreaterThan(1_000_000);
  expect(holdsSecret(database)).toBe(false);
  expect((await cubby('store', 'shrink')).stdout).toMatch(/^The database has .+\. It had .+\.\n$/);

  const last = await startTestServer({ dataDir, ownStores: true });
  const { body } = await last.send(new URL(kept.url).pathname, { door: 'public' });
  expect(body.equals(bytes)).toBe(true);
});

it('store shrink says what shrinks a PostgreSQL database', async () => {
  const env = { CUBBY_DATABASE_URL: 'postgres://cubby@127.0.0.1:9/cubby' };
  expect(await cubbyHere(await temporaryFolder(), env)('store', 'shrink')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('VACUUM FULL'),
  });
});
