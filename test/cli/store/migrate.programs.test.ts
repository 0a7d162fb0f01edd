import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { freshBucket, type TestBucket } from '#test/support/bucket/bucket.ts';
import { chosenStore } from '#test/support/chosen-store.ts';
import { chunking } from '#test/support/chunked.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { fileBlobs, postgresRows, sqliteRows, type StoredBlobs } from '#test/support/stored.ts';
import { cubbyOver, temporaryFolder } from '../cubby.ts';
import { killedCommand } from './killed-command.ts';
import { startLoad, type Load } from './load.ts';
import { expectSameBlobs, expectSameRows, type Side } from './same-stores.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const timeout = isLong ? 900_000 : 240_000;

/** A store, and how to look at it past the server's code. */
interface Store {
  readonly dataDir: string;
  /** The settings of a server over it, besides the data folder. */
  readonly env: Readonly<Record<string, string>>;
  readonly side: () => Promise<Side>;
  readonly blobs: StoredBlobs;
}

function folderStore(dataDir: string): Store {
  return { dataDir, env: {}, side: async () => ({ rows: sqliteRows(dataDir) }), blobs: fileBlobs(dataDir) };
}

/** The same store with its rows in PostgreSQL. */
async function withPostgres(store: Store): Promise<Store & { readonly url: string }> {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const { url } = database;
  const side = async () => ({ rows: await postgresRows(url), isPostgres: true });
  return { ...store, url, env: { ...store.env, CUBBY_DATABASE_URL: url }, side };
}

/** The same store with its larger files in a bucket. */
async function withBucket(store: Store): Promise<Store & { readonly bucket: TestBucket }> {
  const bucket = await freshBucket();
  onTestFinished(() => bucket.remove());
  return { ...store, bucket, env: { ...store.env, ...bucket.settings }, blobs: bucket.blobs };
}

/** The key pair of a bucket for a command that names it with --to. */
function pairOf({ settings }: TestBucket): Readonly<Record<string, string>> {
  const {
    CUBBY_BLOBS_ACCESS_KEY_ID: AWS_ACCESS_KEY_ID = '',
    CUBBY_BLOBS_SECRET_ACCESS_KEY: AWS_SECRET_ACCESS_KEY = '',
  } = settings;
  return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
}

/** What a test did to a store: the server, and what its clients were promised. */
interface Used {
  readonly server: TestServer;
  readonly account: TestAccount;
  readonly load: Load;
}

/** A server keeps a folder that it was given when it stops. */
async function use({ dataDir, env }: Store): Promise<Used> {
  const server = await startTestServer({ env, dataDir });
  const account = await server.account('enterprise');
  const load = startLoad(server, account);
  await expect.poll(() => load.files.size, { timeout: 30_000 }).toBeGreaterThan(isLong ? 500 : 25);
  return { server, account, load };
}

/** Moves a store while it is used, checks that both sides are the same, and stops its server. */
async function move(
  { server, account, load }: Used,
  [from, to]: readonly [Store, Store],
  args: readonly string[],
  { env = {}, kills = 0 }: { readonly env?: Readonly<Record<string, string>>; readonly kills?: number } = {},
): Promise<any> {
  const all = { CUBBY_DATA_DIR: from.dataDir, ...from.env, ...env };
  let killed = 0;
  for (let kill = 1; kill <= kills; kill++)
    if (await killedCommand(['store', 'migrate', ...args], all, 150 + randomInt(isLong ? 2_500 : 500))) killed += 1;
  expect(killed).toBeGreaterThanOrEqual(Math.min(kills, 1));
  const report = await cubbyOver(from.dataDir, all).json('store', 'migrate', ...args);
  // A command may be killed just after it has switched.
  expect(report).toMatchObject({ damaged_blobs: [], ...(kills === 0 && { was_done: false, repaired_rows: 0 }) });
  expect(report.refused_ms).toBeLessThan(10_000);
  await expect.poll(() => load.refused.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await load.stop();
  const [ours, theirs] = [await from.side(), await to.side()];
  if (report.to.rows !== null) expect(await expectSameRows(ours, theirs)).toBeGreaterThan(100);
  if (report.to.blobs !== null) expect(await expectSameBlobs(ours.rows, from.blobs, to.blobs)).toBeGreaterThan(2);
  await ours.rows.close();
  await theirs.rows.close();
  // The old store is read, but takes nothing.
  const info = (id: string) => server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, account);
  expect((await info([...load.files.keys()][0]!)).status).toBe(200);
  const refused = await upload(server, account);
  expect(refused.json()).toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: expect.stringContaining('is moving') });
  expect(refused.headers.get('retry-after')).toBe('10');
  // A second call knows that it is done.
  expect(await cubbyOver(from.dataDir, all).json('store', 'migrate', ...args)).toMatchObject({ was_done: true });
  await server.stop();
  return report;
}

/** Starts a server over the new store, and checks that the files that clients were promised are there. */
async function expectPromises({ dataDir, env }: Store, { account: { credential }, load }: Used): Promise<TestServer> {
  const server = await startTestServer({ dataDir, env });
  for (const [id, hash] of load.files) {
    const link = await server.send(`/v1/objects/download?object=${encodeURIComponent(id)}`, { credential });
    expect(link.status, id).toBe(302);
    const { pathname, search } = new URL(link.headers.get('location')!);
    const file = await server.send(`${pathname}${search}`, { door: 'files' });
    expect(sha256(file.body), id).toBe(hash);
  }
  for (const id of load.deleted)
    expect((await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential })).status, id).toBe(
      404,
    );
  const chunked = chunking(() => server);
  for (const handle of load.open.keys()) {
    expect((await chunked.put({ credential }, handle, 2, someBytes(1000))).status).toBe(200);
    expect((await chunked.complete({ credential }, handle)).status).toBe(200);
  }
  return server;
}

/** Returns the record of a move out of a data folder. */
async function sqliteRecord(dataDir: string): Promise<string | undefined> {
  const rows = sqliteRows(dataDir);
  try {
    const [found] = await rows.all("SELECT 1 FROM sqlite_schema WHERE name = 'store_move'");
    return found && String((await rows.all('SELECT record FROM store_move'))[0]?.record);
  } finally {
    await rows.close();
  }
}

/** Checks that neither a server nor a command takes the old store for the store. */
async function expectMovedAway({ dataDir, env }: Store): Promise<void> {
  await expect(startTestServer({ dataDir, env })).rejects.toThrow(/The store has moved from here/);
  const { code, stderr } = await cubbyOver(dataDir, env)('account', 'list');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('The store has moved from here') });
}

const isOther = chosenStore !== 'sqlite';
const missing = isOther ? 'the tests name their stores themselves' : noPostgres();
const why = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(isOther)('cubby store migrate', { timeout }, () => {
  it('moves a data folder while clients write, is killed and goes on, and loses nothing', async () => {
    const used = await use(folderStore(await temporaryFolder()));
    const [from, to] = [folderStore(used.server.dataDir), folderStore(await temporaryFolder())];
    await move(used, [from, to], ['--to', `file:${to.dataDir}`], { kills: isLong ? 20 : 2 });
    await expectMovedAway(from);
    const server = await expectPromises(to, used);
    expect((await upload(server, used.account)).status).toBe(200);
  });

  it('runs a command at the end, which restarts the servers, and says when it fails', async () => {
    const folders = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()] as const;
    const mark = join(await temporaryFolder(), 'restarted');
    const first = cubbyOver(folders[0]);
    await first.json('account', 'create', '--name', 'one', '--plan', 'pro');
    const report = await first.json(
      'store',
      'migrate',
      '--to',
      `file:${folders[1]}`,
      '--then',
      `sleep 0.3; touch ${mark}`,
    );
    expect(report.restart_ms).toBeGreaterThan(250);
    expect(existsSync(mark)).toBe(true);
    const failed = await cubbyOver(folders[1])('store', 'migrate', '--to', `file:${folders[2]}`, '--then', 'exit 3');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('ended with code 3') });
    expect((await cubbyOver(folders[2]).json('account', 'list')) as unknown[]).toHaveLength(1);
  });

  it('can be ended before the switch, and a target that is not finished is no store', async () => {
    const used = await use(folderStore(await temporaryFolder()));
    const { dataDir } = used.server;
    const [target, cubby] = [await temporaryFolder(), cubbyOver(dataDir)];
    const args = ['store', 'migrate', '--to', `file:${target}`];
    for (let afterMs = 500; (await sqliteRecord(dataDir)) === undefined; afterMs += 100)
      await killedCommand(args, { CUBBY_DATA_DIR: dataDir }, afterMs);
    expect(JSON.parse((await sqliteRecord(dataDir))!).phase).toBe('copying');
    expect(await cubbyOver(target)('account', 'list')).toMatchObject({
      code: 1,
      // Rows and files are moved one after the other, and each says so of itself.
      stderr: expect.stringMatching(/has not been finished|a move to them is not finished/),
    });
    const other = await cubby('store', 'migrate', '--to', `file:${await temporaryFolder()}`);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('Another move has begun here') });

    expect(await cubby.json('store', 'migrate', '--cancel')).toMatchObject({
      cancelled: { rows: `SQLite in ${target}` },
    });
    expect(await sqliteRecord(dataDir)).toBeUndefined();
    await used.load.stop();
    expect(used.load.refused.map(({ body }) => body.toString())).toEqual([]);
    expect((await upload(used.server, used.account)).status).toBe(200);
  });

  it('moves the larger files alone into a bucket, and back into the same folder', async () => {
    const used = await use(folderStore(await temporaryFolder()));
    const from = folderStore(used.server.dataDir);
    const to = await withBucket(from);
    const kills = isLong ? 20 : 0;
    await move(used, [from, to], ['--to', to.env.CUBBY_BLOBS_URL!], { env: pairOf(to.bucket), kills });
    await expectMovedAway(from);
    const server = await expectPromises(to, used);
    expect((await upload(server, used.account)).status).toBe(200);
    await server.stop();

    const back = await use(to);
    const refused = await cubbyOver(to.dataDir, to.env)('store', 'migrate', '--to', 'files:');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
    await rm(join(to.dataDir, 'blobs'), { recursive: true });
    await move(back, [to, from], ['--to', 'files:'], { kills: isLong ? 20 : 1 });
    await expect(startTestServer({ dataDir: to.dataDir, env: to.env })).rejects.toThrow(
      /The larger files of this installation are in .*Unset it/,
    );
    const again = await expectPromises(from, back);
    expect((await upload(again, back.account)).status).toBe(200);
  });
});

describe.skipIf(missing !== undefined)(`cubby store migrate with PostgreSQL${why}`, { timeout }, () => {
  it('moves rows and files to PostgreSQL and a bucket, is killed and goes on, and moves them back', async () => {
    const used = await use(folderStore(await temporaryFolder()));
    const from = folderStore(used.server.dataDir);
    const to = await withBucket(await withPostgres(from));
    const there = ['--to', to.env.CUBBY_DATABASE_URL!, '--to', to.env.CUBBY_BLOBS_URL!];
    await move(used, [from, to], there, { env: pairOf(to.bucket), kills: isLong ? 20 : 1 });
    await expectMovedAway(from);
    const server = await expectPromises(to, used);
    await server.stop();

    const back = { ...used, ...(await use(to)) };
    const folder = folderStore(await temporaryFolder());
    await cp(join(from.dataDir, 'master.key'), join(folder.dataDir, 'master.key'));
    await move(back, [to, folder], ['--to', `file:${folder.dataDir}`], { kills: isLong ? 20 : 1 });
    await expectMovedAway(to);
    await expectPromises(folder, back);
  });

  it('moves rows alone to PostgreSQL, and back into the same folder', async () => {
    const used = await use(folderStore(await temporaryFolder()));
    const from = folderStore(used.server.dataDir);
    const to = await withPostgres(from);
    await move(used, [from, to], ['--to', to.url]);
    await expectMovedAway(from);
    const server = await expectPromises(to, used);
    await server.stop();

    const back = await use(to);
    const refused = await cubbyOver(to.dataDir, to.env)('store', 'migrate', '--to', 'sqlite:');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty.*move that one away/) });
    for (const name of ['cubby.db', 'cubby.db-wal', 'cubby.db-shm']) await rm(join(to.dataDir, name), { force: true });
    await move(back, [to, from], ['--to', 'sqlite:']);
    await expectPromises(from, back);
  });
});
