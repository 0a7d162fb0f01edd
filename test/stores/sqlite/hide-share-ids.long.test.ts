import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import type { Secrets } from '#server/domain/ports/secrets.ts';
import { listShares as listOwnShares } from '#server/domain/shares/list-shares.ts';
import { openShareId, shareIdHash } from '#server/domain/shares/share-id.ts';
import { hideShareIds } from '#server/stores/sqlite/hide-share-ids.ts';
import { migrate } from '#server/stores/sqlite/migrations.ts';
import { SqliteRows } from '#server/stores/sqlite/rows.ts';
import { linksOfFileTable } from '#server/stores/tables/links-of-file.ts';
import { sharesTable } from '#server/stores/tables/shares.ts';
import { masterSecrets } from '#server/stores/system/secrets.ts';
import { openOlderDatabase } from '#test/support/older-database.ts';
import { startTestServer } from '#test/support/server.ts';
import { listShares, openLink, shareFile } from '#test/support/shares.ts';

const masterKey = '0123456789abcdef0123456789abcdef';
const secrets = masterSecrets(Buffer.from(masterKey));
const accountId = '204815162342108999';
/** Unordered like random ids, so that copies of rows stay behind when SQLite splits a page. */
const idOf = (number: number) => createHash('sha256').update(String(number)).digest('hex').slice(0, 26);

/**
 * Makes a data folder from before ids were hidden, with one file and this many links to it. The first link has an open
 * download.
 */
function olderFolder(links: number) {
  const { db, dataDir } = openOlderDatabase('share-ids');
  writeFileSync(join(dataDir, 'master.key'), masterKey, { mode: 0o600 });
  db.exec(`INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('${accountId}', 'a', 'pro', 1);
    INSERT INTO contents VALUES ('content', 4, 1);
    INSERT INTO content_blobs (content_id, position, blob_id, size_bytes, inline) VALUES ('content', 0, 'blob', 4, x'66696c65');
    INSERT INTO objects (account_id, space, key, content_id, size_bytes, etag, created_at, metadata, incarnation) VALUES ('${accountId}', 1, 'a.png', 'content', 4, 'e', 1, '{}', 'i')`);
  const add = db.prepare(
    'INSERT INTO shares (share_id, account_id, space, key, incarnation, created_at, expires_at, max_downloads, remaining, landing) VALUES (?, ?, 1, ?, ?, ?, ?, 2, 1, 0)',
  );
  for (let number = 0; number < links; number++) add.run(idOf(number), accountId, 'a.png', 'i', number, 9e12);
  db.prepare("INSERT INTO share_downloads VALUES ('download', ?, '127.0.0.1', 'curl', 'content', 1, 1, 4)").run(
    idOf(0),
  );
  return { db, dataDir };
}

/** Returns the texts that occur in any file of the folder. */
function heldBy(dataDir: string, texts: readonly string[]): string[] {
  const files = readdirSync(dataDir, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'disk-reserve',
  );
  const contents = files.map(({ name }) => readFileSync(join(dataDir, name)));
  return texts.filter((text) => contents.some((content) => content.includes(text)));
}

describe('hideShareIds()', () => {
  it('hides every link, keeps it usable with its downloads, and does nothing the second time', async () => {
    const { db } = olderFolder(2500);
    migrate(db);
    expect([hideShareIds(db, secrets), hideShareIds(db, secrets)]).toEqual([2500, 0]);
    const shares = sharesTable(new SqliteRows(() => db));
    const idHash = shareIdHash(secrets, idOf(0));
    const share = (await shares.find(idHash))!;
    expect([openShareId(secrets, share), share.remainingDownloads]).toEqual([idOf(0), 1]);
    expect((await shares.findDownload('download'))!.idHash).toBe(idHash);
    expect(await shares.find(idOf(0))).toBeUndefined();
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  });

  it('continues after an interrupted run', () => {
    const { db } = olderFolder(2500);
    migrate(db);
    let sealed = 0;
    const dying = {
      ...secrets,
      seal: (purpose: string, text: string, boundTo: string) => {
        if (++sealed > 1500) throw new Error('killed');
        return secrets.seal(purpose, text, boundTo);
      },
    };
    expect(() => hideShareIds(db, dying)).toThrow('killed');
    expect(hideShareIds(db, secrets)).toBe(1500);
  });

  it('keeps links to their file, so that they end with it', async () => {
    const { db } = olderFolder(3);
    migrate(db);
    hideShareIds(db, secrets);
    await linksOfFileTable(new SqliteRows(() => db)).lose({ accountId, space: 'private', key: 'a.png' });
    expect(db.prepare('SELECT count(*) AS gone FROM shares WHERE is_gone = 1').get()).toEqual({ gone: 3 });
  });
});

describe('a copy of the database', () => {
  it('does not contain the ids of older links, while the server opens and lists all of them', async () => {
    const { db, dataDir } = olderFolder(900);
    db.close();
    const ids = Array.from({ length: 900 }, (_, number) => idOf(number));
    expect(heldBy(dataDir, ids)).toHaveLength(900);
    const server = await startTestServer({ ownStores: true, dataDir, env: { CUBBY_MASTER_KEY: masterKey } });
    expect((await openLink(server, { path: `/s/${idOf(7)}` })).body.toString()).toBe('file');
    const credential = await server.key({ id: accountId, credential: '', keyId: '' }, { scopes: ['*'] });
    expect((await listShares(server, { credential })).map(({ url }) => url)).toContain(
      `${server.running.urls.files}/s/${idOf(29)}`,
    );
    await server.stop();
    expect(heldBy(dataDir, ids)).toEqual([]);
  });

  it('is not rewritten on a disk without space, and the server starts with advice', async () => {
    const { db, dataDir } = olderFolder(3);
    db.close();
    const readDisk = async () => ({ bavail: 1000, bsize: 4096, blocks: 1_000_000 });
    const server = await startTestServer({
      ownStores: true,
      dataDir,
      env: { CUBBY_MASTER_KEY: masterKey, CUBBY_MIN_FREE_BYTES: '8MiB', CUBBY_LOG: 'warn' },
      readDisk,
    });
    expect(server.log.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/no room to write it anew.*VACUUM/),
    );
    await server.stop();
    const known = new DatabaseSync(join(dataDir, 'cubby.db'), { readOnly: true });
    expect(known.prepare('SELECT count(*) AS clear FROM shares WHERE sealed_id IS NULL').get()).toEqual({ clear: 0 });
    known.close();
  });

  it('contains neither the id of a new link nor a hash that opens it', async () => {
    const server = await startTestServer({ ownStores: true });
    const share = await shareFile(server, await server.account());
    expect(heldBy(server.dataDir, [share.id])).toEqual([]);
    const db = new DatabaseSync(join(server.dataDir, 'cubby.db'), { readOnly: true });
    const { share_id: stored } = db.prepare('SELECT share_id FROM shares').get() as { share_id: string };
    db.close();
    expect((await openLink(server, { path: `/s/${stored}` })).status).toBe(404);
    expect((await openLink(server, share)).status).toBe(200);
  });
});

const everyShare = { prefixes: null, object: undefined, prefix: '', limit: undefined, cursor: undefined };

it('a list leaves out links of a lost master key, because nothing can open them', async () => {
  const server = await startTestServer();
  const account = await server.account();
  await shareFile(server, account);
  const { stores } = server.running.app;
  const listed = async (secrets: Secrets) =>
    (await listOwnShares({ ...stores, secrets }, { accountId: account.id, ...everyShare })).shares.length;
  expect([await listed(stores.secrets), await listed(masterSecrets(Buffer.alloc(32, 9)))]).toEqual([1, 0]);
});
