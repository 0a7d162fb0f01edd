import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { chunking, partBytes } from '#test/support/chunked.ts';
import { storedBytes } from '#test/support/decrypted.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { changeSqlite, sqliteRows } from '#test/support/stored.ts';
import { expectWhole } from '../backup/restored.ts';
import { cubbyHere, temporaryFolder, type Cubby } from '../cubby.ts';

const dayMs = 86_400_000;

const pathOf = (dataDir: string, id: string) => join(dataDir, 'blobs', id.slice(0, 2), id);

function idsIn(dataDir: string): string[] {
  const shards = readdirSync(join(dataDir, 'blobs')).filter((name) => name.length === 2);
  return shards.flatMap((shard) => readdirSync(join(dataDir, 'blobs', shard))).sort();
}

async function flip(path: string): Promise<void> {
  await using handle = await open(path, 'r+');
  const { size } = await handle.stat();
  const at = randomInt(size);
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  await handle.write(Buffer.from([buffer[0]! ^ (1 << randomInt(8))]), 0, 1, at);
}

async function store(server: TestServer, account: TestAccount, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await upload(server, account, { bytes: someBytes(17_000 + at), query: { name: `f-${at}`, private: 'true' } });
}

/** The problems of a check that is expected to find some, or to end well. */
async function problemsOf(cubby: Cubby, ...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await cubby('store', 'check', '--json', ...args);
  expect(stdout, stderr).not.toBe('');
  const report = JSON.parse(stdout);
  expect(code, stdout).toBe(report.left > 0 ? 1 : 0);
  return report;
}

/** The ids of the blobs of the file with several, in their order. */
async function partIds(dataDir: string): Promise<string[]> {
  const rows = sqliteRows(dataDir);
  const all = await rows.all(
    'SELECT blob_id FROM content_blobs WHERE content_id IN (SELECT content_id FROM content_blobs WHERE position ' +
      '= 1) ORDER BY position',
  );
  await rows.close();
  return all.map(({ blob_id: id }) => String(id));
}

const kindsOf = ({ problems }: any): string[] => problems.map(({ kind }: any) => kind);

describe('cubby store check', { timeout: 300_000 }, () => {
  it('finds nothing in a store that is used, and says what it compared', async () => {
    const server = await startTestServer();
    const account = await server.account('enterprise');
    await store(server, account, 5);
    const chunked = chunking(() => server);
    const { upload: handle } = (await chunked.start(account, { name: 'open' })).json().response;
    await chunked.put(account, handle, 1, someBytes(partBytes));
    const report = await problemsOf(cubbyHere(server.dataDir), '--bytes');
    expect(report).toMatchObject({ problems: [], left: 0, checked: { blobs: 6, contents: 5 } });
    expect((await cubbyHere(server.dataDir)('store', 'check')).stdout).toMatch(/^Nothing is wrong\. Compared 6 larger/);
  });

  it('finds each flipped byte and each removed file, and repairs all of them from a backup', async () => {
    const server = await startTestServer();
    const account = await server.account('enterprise');
    await store(server, account, 125);
    const { dataDir } = server;
    const cubby = cubbyHere(dataDir);
    const target = join(await temporaryFolder(), 'backup');
    await cubby.json('backup', target);
    const ids = idsIn(dataDir);
    const [flipped, removed] = [ids.slice(0, 100), ids.slice(100, 120)];
    for (const id of flipped) await flip(pathOf(dataDir, id));
    for (const id of removed) await rm(pathOf(dataDir, id));

    const quick = await problemsOf(cubby);
    expect(quick.problems.map(({ subject }: any) => subject)).toEqual(removed);
    expect(new Set(kindsOf(quick))).toEqual(new Set(['missing-bytes']));
    const found = await problemsOf(cubby, '--bytes');
    expect(kindsOf(found).filter((kind) => kind === 'missing-bytes')).toHaveLength(20);
    expect(kindsOf(found).filter((kind) => kind === 'damaged-bytes')).toHaveLength(100);
    expect(found.problems.at(-1).detail).toMatch(
      /(SHA-256 of the bytes is another|encrypted bytes are not those).* Its files: f-\d+.*of account/,
    );
    // Without a backup nothing can be repaired, and nothing is made worse.
    expect(await problemsOf(cubby, '--bytes', '--repair')).toMatchObject({ left: 120, repaired: 0 });

    const repaired = await problemsOf(cubby, '--bytes', '--repair', '--from', target);
    expect(repaired).toMatchObject({ left: 0, repaired: 120 });
    expect(await problemsOf(cubby, '--bytes')).toMatchObject({ problems: [], left: 0 });
    expect(await expectWhole(dataDir)).toBe(125);
  });

  it('repairs the damaged part of a file of many parts, and a file that was cut', async () => {
    const server = await startTestServer();
    const account = await server.account('enterprise');
    const chunked = chunking(() => server);
    const parts = [someBytes(partBytes), someBytes(partBytes), someBytes(20_000)];
    const { upload: handle } = (await chunked.start(account, { name: 'big' })).json().response;
    for (const [at, part] of parts.entries()) await chunked.put(account, handle, at + 1, part);
    await chunked.complete(account, handle);
    await store(server, account, 1);
    const { dataDir } = server;
    const cubby = cubbyHere(dataDir);
    await cubby.json('jobs', 'run', 'hash-contents');
    const target = join(await temporaryFolder(), 'backup');
    await cubby.json('backup', target);
    const hashes = new Map(
      await Promise.all(idsIn(dataDir).map(async (id) => [id, sha256(await readFile(pathOf(dataDir, id)))] as const)),
    );
    const [, second] = (await partIds(dataDir)) as [string, string];
    const small = idsIn(dataDir).find((id) => statSync(pathOf(dataDir, id)).size === storedBytes(id, 17_000))!;
    await flip(pathOf(dataDir, second));
    await writeFile(pathOf(dataDir, small), 'cut');
    const found = await problemsOf(cubby, '--bytes');
    expect(kindsOf(found).sort()).toEqual(['damaged-bytes', 'wrong-size']);
    expect(await problemsOf(cubby, '--bytes', '--repair', '--from', target)).toMatchObject({ left: 0, repaired: 2 });
    for (const [id, hash] of hashes) expect(sha256(await readFile(pathOf(dataDir, id))), id).toBe(hash);
  });

  it("repairs small files, whose bytes are in rows, from a backup's database, and else says what to do", async () => {
    const server = await startTestServer({ ownStores: true });
    const account = await server.account();
    const bytes = [someBytes(2_000), someBytes(3_000)];
    for (const [at, one] of bytes.entries())
      await upload(server, account, { bytes: one, query: { name: `small-${at}`, private: 'true' } });
    const { dataDir } = server;
    const cubby = cubbyHere(dataDir);
    const target = join(await temporaryFolder(), 'backup');
    await cubby.json('backup', target);
    await changeSqlite(dataDir, 'UPDATE contents SET inline = zeroblob(2000) WHERE size_bytes = 2000');
    await changeSqlite(dataDir, 'UPDATE contents SET inline = zeroblob(7) WHERE size_bytes = 3000');
    // The newest backup has the damage too.
    await cubby.json('backup', target);
    const found = await problemsOf(cubby, '--bytes', '--repair');
    expect(kindsOf(found)).toEqual(['damaged-bytes', 'damaged-bytes']);
    for (const { detail, repair } of found.problems)
      expect([detail, repair]).toEqual([
        expect.stringMatching(/Its files: small-.*Its bytes are in the database/),
        null,
      ]);
    const repaired = await problemsOf(cubby, '--bytes', '--repair', '--from', target);
    expect(repaired).toMatchObject({ left: 0, repaired: 2 });
    expect(repaired.problems[0].repair).toBe('restored from the database of the backup');
    expect(await problemsOf(cubby, '--bytes')).toMatchObject({ problems: [] });
    const rows = await sqliteRows(dataDir).all('SELECT inline FROM contents ORDER BY size_bytes');
    expect(rows.map(({ inline }) => sha256(inline as Uint8Array))).toEqual(bytes.map(sha256));
  });

  it('moves bytes without a row away for a day, takes them back if a row names them, then deletes them', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await store(server, account, 2);
    const { dataDir } = server;
    const cubby = cubbyHere(dataDir);
    const [named] = idsIn(dataDir) as [string];
    const stranger = 'a'.repeat(26);
    const add = async (ageMs: number): Promise<void> => {
      await mkdir(join(dataDir, 'blobs', 'aa'), { recursive: true });
      await writeFile(pathOf(dataDir, stranger), 'nobody');
      const at = (Date.now() - ageMs) / 1000;
      await utimes(pathOf(dataDir, stranger), at, at);
    };
    await add(0);
    expect(await problemsOf(cubby)).toMatchObject({ problems: [] });
    await add(dayMs);
    expect(kindsOf(await problemsOf(cubby))).toEqual(['bytes-without-row']);
    expect(existsSync(pathOf(dataDir, stranger))).toBe(true);
    expect(await problemsOf(cubby, '--repair')).toMatchObject({ left: 0, repaired: 1 });
    expect(existsSync(pathOf(dataDir, stranger))).toBe(false);
    const quarantine = join(dataDir, 'blobs', 'quarantine');
    const kept = join(quarantine, 'aa', stranger);
    expect(await readFile(kept, 'utf8')).toBe('nobody');
    await cubby.json('jobs', 'run', 'sweep-orphans');
    expect(existsSync(kept)).toBe(true);

    // A blob that got there by mistake.
    await mkdir(join(quarantine, named.slice(0, 2)), { recursive: true });
    await rename(pathOf(dataDir, named), join(quarantine, named.slice(0, 2), named));
    const back = await problemsOf(cubby, '--repair');
    expect(back.problems).toMatchObject([{ kind: 'missing-bytes', repair: 'taken back from the quarantine' }]);
    expect(await expectWhole(dataDir)).toBe(2);

    const before = (Date.now() - dayMs - 60_000) / 1000;
    await utimes(kept, before, before);
    await cubby.json('jobs', 'run', 'sweep-orphans');
    expect(existsSync(kept)).toBe(false);
    expect((await stat(quarantine)).mode & 0o077).toBe(0);
    expect(await readdir(join(quarantine, 'aa'))).toEqual([]);
  });

  it('sets counters to their sums', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await store(server, account, 3);
    const { dataDir } = server;
    const cubby = cubbyHere(dataDir);
    for (const sql of [
      'UPDATE accounts SET used_bytes = used_bytes + 5, used_objects = 9, reserved_bytes = 7, flowing_bytes = 3',
      'UPDATE contents SET pointing_rows = 4 WHERE content_id = (SELECT min(content_id) FROM contents)',
      "INSERT INTO usage_days (account_id, day, byte_ms, object_ms) SELECT account_id, 5, '-1', '0' FROM accounts",
      "INSERT INTO contents (content_id, size_bytes, crc32, pointing_rows) VALUES ('unused', 0, 0, 1)",
    ])
      await changeSqlite(dataDir, sql);
    const found = await problemsOf(cubby);
    expect(kindsOf(found)).toEqual(['usage-day', ...Array(5).fill('counter'), 'content-without-file']);
    expect(found.problems[1].detail).toMatch(/accounts\.used_bytes of \d{18} is \d+, but the sum is \d+\./);
    expect(await problemsOf(cubby, '--repair')).toMatchObject({ left: 0, repaired: 7 });
    expect(await problemsOf(cubby)).toMatchObject({ problems: [] });
  });

  it('names damage of the database, and then repairs nothing', async () => {
    const server = await startTestServer();
    const account = await server.account();
    await store(server, account, 2);
    const { dataDir } = server;
    await changeSqlite(dataDir, 'UPDATE accounts SET used_objects = 9');
    const cubby = cubbyHere(dataDir);
    const db = new DatabaseSync(join(dataDir, 'cubby.db'), { enableForeignKeyConstraints: false });
    db.exec("INSERT INTO damaged_contents VALUES ('nowhere', 1)");
    db.close();
    const found = await problemsOf(cubby, '--repair');
    expect(found.problems.find(({ kind }: any) => kind === 'database').detail).toMatch(
      /A row of damaged_contents .* refers to none of contents/,
    );
    expect(found.left).toBe(2);
  });
});
