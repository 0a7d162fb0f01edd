import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { sha256, someBytes, upload } from '#test/support/files.ts';
import { noMount } from '#test/support/mount.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { cubbyHere, cubbyOver, temporaryFolder } from '../cubby.ts';
import { killedCommand } from '../store/killed-command.ts';
import { startLoad } from '../store/load.ts';
import { expectFiles, expectWhole, restored } from './restored.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Uploads files: some in rows, the others blobs. Returns their ids and hashes. */
async function store(
  server: TestServer,
  account: TestAccount,
  count: number,
  prefix = 'f',
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (let at = 0; at < count; at++) {
    const bytes = someBytes(at % 3 === 0 ? 2_000 : 30_000 + at);
    const stored = await upload(server, account, { bytes, query: { name: `${prefix}-${at}`, private: 'true' } });
    files.set(stored.json().response.id, sha256(bytes));
  }
  return files;
}

/** A disk of some mebibytes, which is unmounted when the test ends. */
async function smallDisk(mebibytes: number): Promise<string> {
  const folder = await temporaryFolder();
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]).status).toBe(0);
  onTestFinished(() => void spawnSync('umount', [folder]));
  return folder;
}

async function blobsIn(target: string): Promise<string[]> {
  const shards = await readdir(join(target, 'blobs'));
  return (await Promise.all(shards.map((shard) => readdir(join(target, 'blobs', shard))))).flat().sort();
}

describe('cubby backup and cubby restore', { timeout: 300_000 }, () => {
  it('keep every file that was there before the start, through a kill, while clients write and delete', async () => {
    const server = await startTestServer();
    const account = await server.account('enterprise');
    const target = join(await temporaryFolder(), 'backup');
    const before = await store(server, account, isLong ? 2_000 : 30);
    const load = startLoad(server, account, 1);
    await expect.poll(() => load.files.size, { timeout: 60_000 }).toBeGreaterThan(5);
    let killed = 0;
    for (let kill = 1; kill <= (isLong ? 20 : 3); kill++)
      if (await killedCommand(['backup', target], { CUBBY_DATA_DIR: server.dataDir }, kill * 350)) killed += 1;
    expect(killed).toBeGreaterThan(0);
    const report = await cubbyOver(server.dataDir).json('backup', target);
    await load.stop();
    expect(report).toMatchObject({ damaged_blobs: [], master_key: false });
    const { dataDir, report: back } = await restored(target, server.dataDir);
    expect(back).toMatchObject({ missing_blobs: [], master_key: 'kept' });
    const restarted = await expectFiles(dataDir, account.credential, before);
    await restarted.stop();
    // Also what came and went meanwhile is whole: no row lacks its bytes.
    expect(await expectWhole(dataDir)).toBeGreaterThan(20);
  });

  it('send only what is new, and keep generations that can each be restored', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const cubby = cubbyHere(server.dataDir);
    const target = join(await temporaryFolder(), 'backup');
    const first = await store(server, account, 6);
    const one = await cubby.json('backup', target);
    expect(one.sent.blobs).toBe(4);
    const [gone, ...kept] = [...first.keys()].toReversed();
    const body = JSON.stringify({ objects: [gone] });
    await server.send('/v1/objects', { method: 'DELETE', credential: account.credential, body });
    const second = await store(server, account, 3, 'g');
    const two = await cubby.json('backup', target);
    expect(two.sent).toMatchObject({ blobs: 2 });
    expect(two.sent.database_bytes).toBeLessThanOrEqual(two.database_bytes);
    expect(two.blobs.count).toBe(5);
    const three = await cubby.json('backup', target);
    expect(three.sent).toMatchObject({ blobs: 0, bytes: 0 });
    const list = await cubby.json('backup', target, '--list');
    expect(list.generations.map(({ generation }: any) => generation)).toEqual(
      [one, two, three].map(({ generation }) => generation),
    );

    const old = await restored(target, server.dataDir, ['--generation', one.generation]);
    await (await expectFiles(old.dataDir, account.credential, first)).stop();
    const newest = await restored(target, server.dataDir);
    const now = new Map([...kept.map((id) => [id, first.get(id)!] as const), ...second]);
    const restarted = await expectFiles(newest.dataDir, account.credential, now);
    const missing = await restarted.send(`/v1/objects/info?object=${encodeURIComponent(gone!)}`, account);
    expect(missing.status).toBe(404);
    await restarted.stop();

    const pruned = await cubby.json('backup', target, '--keep', '1');
    expect(pruned.removed_generations).toHaveLength(3);
    expect(await blobsIn(target)).toHaveLength(5);
    expect((await readdir(join(target, 'generations'))).length).toBe(1);
    const last = await restored(target, server.dataDir);
    await (await expectFiles(last.dataDir, account.credential, now)).stop();
  });

  it('notice what a target has lost, and send it again', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const cubby = cubbyHere(server.dataDir);
    const target = join(await temporaryFolder(), 'backup');
    const files = await store(server, account, 6);
    await cubby.json('backup', target);
    const [lost, cut] = (await blobsIn(target)) as [string, string];
    await rm(join(target, 'blobs', lost.slice(0, 2), lost));
    await writeFile(join(target, 'blobs', cut.slice(0, 2), cut), 'cut');
    expect((await cubby.json('backup', target)).sent.blobs).toBe(2);
    const { dataDir } = await restored(target, server.dataDir);
    await (await expectFiles(dataDir, account.credential, files)).stop();
  });

  it('are none before the first one, and a lost target is said', async () => {
    const server = await startTestServer();
    const cubby = cubbyHere(server.dataDir);
    const folder = await temporaryFolder();
    const target = join(folder, 'backup');
    expect(await cubby.json('backup', target, '--list')).toEqual({ target, generations: [] });
    expect((await cubby('backup', target, '--list')).stdout).toMatch(/There is no backup .* is its disk mounted\?/);
    // A machine whose data folder is lost can list too.
    expect(await cubbyHere(join(folder, 'nothing')).json('backup', target, '--list')).toEqual({
      target,
      generations: [],
    });
    const unmounted = await cubby('backup', join(folder, 'a', 'b'), '--list');
    expect(unmounted).toMatchObject({ code: 1, stderr: expect.stringMatching(/Is its disk mounted\?/) });
    await cubby.json('backup', target);
    await rm(target, { recursive: true });
    for (const _folder of ['missing', 'an empty mount point']) {
      const lost = await cubby('backup', target, '--list');
      expect(lost).toMatchObject({ code: 1, stderr: expect.stringMatching(/are gone .* Is its disk mounted\?/) });
      await mkdir(target, { recursive: true });
    }
  });

  it('refuse targets that are wrong, each with words, and change nothing there', async () => {
    const [server, other] = [await startTestServer(), await startTestServer()];
    const cubby = cubbyHere(server.dataDir);
    const folder = await temporaryFolder();
    const target = join(folder, 'backup');
    const refused = async (args: readonly string[], words: RegExp, one = cubby) => {
      const { code, stderr } = await one(...args);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
    };
    await refused(['backup'], /Name the place of the backup, or set CUBBY_BACKUP_TARGET/);
    await refused(['backup', 'http://host/x'], /CUBBY_BACKUP_TARGET must be the path of a folder, or a bucket/);
    await refused(['backup', join(server.dataDir, 'inside')], /contain one another/);
    await refused(['backup', join(folder, 'a', 'b')], /There is no folder .*a\. Is its disk mounted/);
    await writeFile(join(folder, 'file'), 'x');
    await refused(['backup', join(folder, 'file')], /is a file\. Name a folder/);
    await refused(['backup', folder], /is neither empty nor a backup of Cubby/);
    await refused(['restore', folder], /is neither empty nor a backup of Cubby/, cubbyHere(join(folder, 'new')));
    await refused(['backup', target, '--dump', 'true'], /--dump is for PostgreSQL/);

    await cubby.json('backup', target);
    await refused(['backup', target], /holds the backups of another installation/, cubbyHere(other.dataDir));
    await refused(['restore', target], /is not empty: it holds a database\. A restore replaces nothing/);
    await refused(['restore', target, '--generation', 'x'], /There is no generation x/, cubbyHere(join(folder, 'new')));
    // The disk of the target is not mounted.
    await rm(target, { recursive: true });
    await mkdir(target);
    await refused(['backup', target], /are gone \(the last one was .*\)\. Is its disk mounted\?/);
    await refused(
      ['restore', target],
      /There is no backup of Cubby in .*Is its disk mounted/,
      cubbyHere(join(folder, 'new')),
    );
    await cubby.json('backup', target, '--new');
  });

  it('let one backup at a time write to a target, and follow a killed one at once', async () => {
    const server = await startTestServer();
    const target = join(await temporaryFolder(), 'backup');
    const cubby = cubbyHere(server.dataDir);
    await cubby.json('backup', target);
    const lock = (pid: number, host: string) =>
      writeFile(join(target, 'lock.json'), JSON.stringify({ id: 'x', host, pid, expires_at: Date.now() + 60_000 }));
    // A killed backup may have left its lock in a folder that is no target yet.
    const early = join(await temporaryFolder(), 'early');
    await mkdir(early);
    await writeFile(
      join(early, 'lock.json'),
      JSON.stringify({ id: 'x', host: hostname(), pid: 2 ** 22 + 1, expires_at: 0 }),
    );
    await cubby.json('backup', early);
    await lock(process.pid, 'elsewhere');
    const { code, stderr } = await cubby('backup', target);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Another backup is writing to .*process \d+ on elsewhere/),
    });
    await lock(2 ** 22 + 1, hostname());
    expect(await cubby.json('backup', target)).toMatchObject({ damaged_blobs: [] });
    expect(existsSync(join(target, 'lock.json'))).toBe(false);
  });

  it('leave the master key out, unless it is asked for', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const target = join(await temporaryFolder(), 'backup');
    const cubby = cubbyHere(server.dataDir);
    expect((await cubby('backup', target)).stdout).toContain('The master key is NOT in the backup');
    const without = await cubbyHere(join(await temporaryFolder(), 'data'))('restore', target);
    expect(without.stdout).toMatch(/The master key is not in the backup\. Before the first start, put the key/);
    expect(existsSync(join(target, 'master.key'))).toBe(false);
    expect((await cubby('backup', target, '--with-master-key')).stdout).toContain('The master key IS in the backup');
    expect((await stat(join(target, 'master.key'))).mode & 0o077).toBe(0);
    expect((await cubby.json('backup', target)).master_key).toBe(true);
    const dataDir = join(await temporaryFolder(), 'data');
    expect(await cubbyOver(dataDir).json('restore', target)).toMatchObject({ master_key: 'restored' });
    expect(await readFile(join(dataDir, 'master.key'))).toEqual(await readFile(join(server.dataDir, 'master.key')));
    await (await expectFiles(dataDir, account.credential, new Map())).stop();
  });

  it.skipIf(noMount())(
    `keep earlier generations when the target is full, and go on when there is space${because(noMount())}`,
    async () => {
      const server = await startTestServer();
      const account = await server.account('enterprise');
      const disk = await smallDisk(4);
      const target = join(disk, 'backup');
      const cubby = cubbyHere(server.dataDir);
      const files = await store(server, account, 6);
      const { generation } = await cubby.json('backup', target);
      const filler = join(disk, 'filler');
      await writeFile(filler, Buffer.alloc(2 * 2 ** 20));
      await upload(server, account, { bytes: someBytes(3_000_000), query: { name: 'large', private: 'true' } });
      const { code, stderr } = await cubby('backup', target);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/There is no room in .*backup\. Earlier/),
      });
      const { dataDir, report } = await restored(target, server.dataDir);
      expect(report.generation).toBe(generation);
      await (await expectFiles(dataDir, account.credential, files)).stop();
      await rm(filler);
      spawnSync('mount', ['-o', 'remount,size=16m', disk]);
      expect(await cubby.json('backup', target)).toMatchObject({ damaged_blobs: [], blobs: { count: 5 } });
    },
  );

  it('go on with a restore that was killed, and start no server before its end', async () => {
    const server = await startTestServer();
    const account = await server.account('enterprise');
    const target = join(await temporaryFolder(), 'backup');
    const files = await store(server, account, isLong ? 600 : 60);
    await cubbyHere(server.dataDir).json('backup', target, '--with-master-key');
    const dataDir = join(await temporaryFolder(), 'data');
    const env = { CUBBY_DATA_DIR: dataDir };
    await mkdir(dataDir, { mode: 0o700 });
    const mark = { source: target, generation: (await readdir(join(target, 'generations')))[0]!.replace('.json', '') };
    await writeFile(join(dataDir, 'cubby.db.restore.json'), JSON.stringify(mark));
    await expect(startTestServer({ dataDir })).rejects.toThrow(/A restore into .* has not ended/);
    // The database is renamed at the very end, so a kill leaves a folder that no server starts over.
    for (let kill = 1; kill <= 4; kill++) await killedCommand(['restore', target], env, 200 + kill * 150);
    if (statSync(join(dataDir, 'cubby.db'), { throwIfNoEntry: false })?.size)
      expect(existsSync(join(dataDir, 'cubby.db.restore.json'))).toBe(false);
    else expect(await cubbyOver(dataDir).json('restore', target)).toMatchObject({ missing_blobs: [] });
    await (await expectFiles(dataDir, account.credential, files)).stop();
  });
});
