import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { testKeyEncryptionKey } from '#test/support/decrypted.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { blobsOfFiles, sqliteRows } from '#test/support/stored.ts';
import { expectFiles, restored } from '../backup/restored.ts';
import { cubbyHere, temporaryFolder, type Cubby } from '../cubby.ts';
import { startLoad } from '../store/load.ts';

const oldKey = { CUBBY_KEY_ENCRYPTION_KEY: testKeyEncryptionKey };
const newSecret = 'the next key-encryption key of this test';
const newKey = { CUBBY_KEY_ENCRYPTION_KEY: newSecret };

/** An empty variable counts as not set. */
const noKey = { CUBBY_KEY_ENCRYPTION_KEY: '' };

const rotate = ['key-encryption-key', 'rotate'];

async function newKeyFile(text = `${newSecret}\n`): Promise<string> {
  const path = join(await temporaryFolder(), 'next.key');
  await writeFile(path, text);
  return path;
}

/** Uploads some files, small and large. Returns the hash of each by its id. */
async function store(server: TestServer, account: TestAccount, name: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const sizeBytes of [2_000, 30_000, 200_000]) {
    const bytes = someBytes(sizeBytes);
    const query = { name: `${name}-${sizeBytes}`, private: 'true' };
    files.set((await upload(server, account, { bytes, query })).json().response.id, sha256(bytes));
  }
  return files;
}

/** The root keys in the ids of blobs, and those that the table has, by the number of their wraps. */
async function rootsIn(dataDir: string) {
  const rows = sqliteRows(dataDir);
  const named = await rows.all(`SELECT DISTINCT substr(blob_id, 28) AS root FROM ${blobsOfFiles}`);
  const wraps = await rows.all('SELECT root_id, count(*) AS wraps FROM root_keys GROUP BY root_id ORDER BY made_at');
  await rows.close();
  return { named: named.map(({ root }) => root), wraps: wraps.map(({ wraps: count }) => count) };
}

const failed = async (running: ReturnType<Cubby>) => {
  const { code, stderr } = await running;
  expect(code).toBe(1);
  return stderr;
};

describe('cubby key-encryption-key rotate', { timeout: 240_000 }, () => {
  it('changes the key under load, without a failed request, and then shuts out the old one', async () => {
    const server = await startTestServer({ env: oldKey, ownStores: true });
    const { dataDir } = server;
    const account = await server.account('enterprise');
    const files = await store(server, account, 'before');
    const load = startLoad(server, account);
    await expect.poll(() => load.done, { timeout: 60_000 }).toBeGreaterThan(20);
    const withOld = cubbyHere(dataDir, oldKey);
    const begun = await withOld.json(...rotate, '--new-key-file', await newKeyFile());
    expect(begun).toEqual({ wrapped_roots: 2, new_root: expect.stringMatching(/^[a-z2-7]{6}$/) });
    const done = load.done;
    await expect.poll(() => load.done, { timeout: 60_000 }).toBeGreaterThan(done + 20);
    await load.stop();
    // A client may find that another one has just deleted its file.
    expect(load.refused.filter(({ status }) => status !== 404)).toEqual([]);
    await server.running.stop();

    // Either key starts a server now. New files have the new root key.
    const withBoth = await expectFiles(dataDir, account.credential, files, oldKey);
    for (const [id, hash] of await store(withBoth, account, 'meanwhile')) files.set(id, hash);
    await withBoth.running.stop();
    const renewed = await expectFiles(dataDir, account.credential, files, newKey);
    expect((await rootsIn(dataDir)).named).toContain(begun.new_root);
    const withNew = cubbyHere(dataDir, newKey);
    expect(await withNew.json(...rotate, '--finish')).toEqual({ removed_wraps: 2 });
    expect(await withNew.json(...rotate, '--finish')).toEqual({ removed_wraps: 0 });
    expect((await rootsIn(dataDir)).wraps).toEqual([1, 1]);
    for (const [id, hash] of await store(renewed, account, 'after')) files.set(id, hash);
    await renewed.running.stop();

    expect(await failed(withOld(...rotate, '--finish'))).toContain('with another key-encryption key');
    await expect(startTestServer({ dataDir, env: oldKey, ownStores: true })).rejects.toThrow(
      /another key-encryption key/,
    );
    const again = await expectFiles(dataDir, account.credential, new Map([...files, ...load.files]), newKey);
    await again.running.stop();
    const audit = (await withNew('audit', 'export')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const entries = audit.filter(({ action }) => action === 'key_encryption_key.rotated');
    expect(entries.map(({ details }) => details)).toEqual([
      { new_root: begun.new_root, wrapped_roots: 2 },
      { removed_wraps: 2 },
    ]);
    expect(JSON.stringify(audit)).not.toContain(newSecret);
  });

  it('reads new files of another process that has a new root key already', async () => {
    const server = await startTestServer({ env: oldKey, ownStores: true });
    const account = await server.account('enterprise');
    const { dataDir } = server;
    await store(server, account, 'before');
    await cubbyHere(dataDir, oldKey).json(...rotate, '--new-key-file', await newKeyFile());
    const legacy = await temporaryFolder();
    const bytes = someBytes(100_000);
    await writeFile(join(legacy, 'old.bin'), bytes);
    // This command begins with the new root key. The server has not looked since.
    await cubbyHere(dataDir, newKey).json('legacy', 'import', '--account', account.id, legacy);
    const file = await server.send(`/${account.id}/old.bin`, { door: 'public' });
    expect(sha256(file.body)).toBe(sha256(bytes));
    expect((await rootsIn(dataDir)).named).toHaveLength(2);
  });

  it('refuses calls that would not do what they say', async () => {
    const server = await startTestServer({ env: oldKey, ownStores: true });
    const { dataDir } = server;
    const account = await server.account();
    await store(server, account, 'one');
    await server.running.stop();
    const cubby = cubbyHere(dataDir, oldKey);
    expect((await cubby(...rotate)).code).toBe(2);
    expect((await cubby(...rotate, '--finish', '--new-key-file', 'x')).code).toBe(2);
    const withFile = async (text: string) => failed(cubby(...rotate, '--new-key-file', await newKeyFile(text)));
    expect(await withFile('short')).toContain('The new key has 5 characters, but must have at least 32');
    expect(await withFile(testKeyEncryptionKey)).toContain('The new key is the one that is in use');
    expect(await failed(cubby(...rotate, '--new-key-file', '/nowhere/at-all'))).toContain('cannot be read (ENOENT)');
    await cubby.json(...rotate, '--new-key-file', await newKeyFile());
    expect(await withFile(newSecret)).toContain('This key has wrapped the root keys already');
    const clear = await startTestServer({ ownStores: true });
    const none = await failed(cubbyHere(clear.dataDir, noKey)(...rotate, '--finish'));
    expect(none).toContain('There is no key-encryption key, so no bytes are encrypted');
  });
});

describe('cubby backup, restore and config check, with encrypted files', { timeout: 240_000 }, () => {
  it('copy encrypted bytes, and need the key of their time', async () => {
    const server = await startTestServer({ env: oldKey, ownStores: true });
    const { dataDir } = server;
    const account = await server.account('enterprise');
    const files = await store(server, account, 'f');
    const target = join(await temporaryFolder(), 'backup');
    const report = await cubbyHere(dataDir, oldKey).json('backup', target);
    expect(report).toMatchObject({ blobs: { count: 2, bytes: 230_000 }, damaged_blobs: [] });
    const again = await cubbyHere(dataDir, oldKey).json('backup', target);
    expect(again.sent).toMatchObject({ blobs: 0 });
    const into = cubbyHere(join(await temporaryFolder(), 'data'), noKey);
    expect(await failed(into('restore', target))).toContain('are encrypted, but there is no key-encryption key');
    const wrong = cubbyHere(into.dataDir, newKey);
    expect(await failed(wrong('restore', target))).toContain('with another key-encryption key than the configured one');
    // The same call goes on with the right key.
    const right = cubbyHere(into.dataDir, oldKey);
    expect(await right.json('restore', target)).toMatchObject({ missing_blobs: [], blobs: { count: 2 } });
    const { dataDir: back } = await restored(target, dataDir, [], oldKey);
    const copy = await expectFiles(back, account.credential, files, oldKey);
    await copy.running.stop();
    expect((await cubbyHere(back, oldKey)('store', 'check', '--bytes')).stdout).toMatch(
      /^Nothing is wrong\. Compared 2 larger files \(2 of them encrypted\) with/,
    );
  });

  it('tell a wrong key before a server starts', async () => {
    const server = await startTestServer({ env: oldKey, ownStores: true });
    await store(server, await server.account(), 'f');
    await server.running.stop();
    const check = (env: Record<string, string>) => cubbyHere(server.dataDir, env)('config', 'check');
    const right = await check(oldKey);
    expect(right.code).toBe(0);
    expect(right.stdout).toMatch(/CUBBY_KEY_ENCRYPTION_KEY +set, not shown/);
    expect((await check(newKey)).stderr).toContain('with another key-encryption key than the configured one');
    expect((await check(noKey)).stderr).toContain('there is no key-encryption key');
  });
});
