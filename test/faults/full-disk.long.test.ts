import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { cubbyHere } from '#test/cli/cubby.ts';
import { eventually } from '#test/support/eventually.ts';
import { noMount } from '#test/support/mount.ts';
import { someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import { ask, deleteFiles, fetchFile, uploadFile } from './client.ts';
import { readDataFolder } from './data-folder.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const mib = 1024 * 1024;
const isLong = process.env.CUBBY_TEST_LONG === '1';
const diskBytes = (isLong ? 64 : 32) * mib;
const floorBytes = 8 * mib;

/**
 * All parallel uploads together may go below the minimum of free space by this much: rows, folders and the last blocks
 * of files.
 *
 * @see docs/operating/trouble.md
 */
const beyondFloorBytes = 4 * mib;

const missing = noMount();

describe.skipIf(missing)(`a disk of ${diskBytes / mib} MiB${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let disk: string;
  let server: SpawnedServer;
  let account: TestAccount;

  const dataDir = () => join(disk, 'data');
  const start = async (): Promise<void> => {
    // More often than usual, but not more often than the checks of uploads.
    const watchDiskEveryMs = 1_000;
    const env = { CUBBY_MIN_FREE_BYTES: String(floorBytes) };
    server = await spawnServer({ dataDir: dataDir(), env, watchDiskEveryMs });
  };
  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'cubby-disk-'));
    expect(
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=700`, 'tmpfs', disk], { encoding: 'utf8' }),
    ).toMatchObject({ status: 0 });
    await start();
  });
  // All tests share one disk and one server, because a start takes a second. Each test starts with a disk that holds
  // only the database and the reserve.
  beforeEach(async () => {
    await rm(join(disk, 'of-another-program'), { force: true });
    const { objects } = await readDataFolder(dataDir());
    const ids = objects.map(({ accountId, key }) => `pub/${accountId}/${key}`);
    while (ids.length > 0) expect((await deleteFiles(server, account, ids.splice(0, 100))).status).toBe(200);
    await expect.poll(() => readDataFolder(dataDir())).toMatchObject({ blobsToDelete: 0, files: [] });
    await expect.poll(reserveBytes).toBe(4 * mib);
    account = await server.account();
    // The server remembers for a moment that the disk was full.
    const id = await eventually(
      async () => (await uploadFile(server, account, 'room', someBytes(2 * mib))).json.response.id,
    );
    await deleteFiles(server, account, [id]);
    await expect.poll(() => readDataFolder(dataDir())).toMatchObject({ blobsToDelete: 0, files: [] });
  });
  afterAll(async () => {
    await server?.kill();
    expect(spawnSync('umount', ['-l', disk]).status).toBe(0);
    rmSync(disk, { recursive: true, force: true });
  });

  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(disk);
    return bavail * bsize;
  };
  const reserveBytes = () => statSync(join(dataDir(), 'disk-reserve'), { throwIfNoEntry: false })?.size ?? 0;
  const storage = async () => (await ask(`${server.urls.api}/readyz`)).json.storage;

  /** Fills the disk to the last byte, as another program would, even while the server frees space. */
  async function fillToTheBrim(): Promise<void> {
    await expect
      .poll(async () => {
        await fillOnce();
        return freeBytes();
      })
      .toBe(0);
  }

  async function fillOnce(): Promise<void> {
    const file = await open(join(disk, 'of-another-program'), 'a');
    try {
      for (let pieceBytes = mib; pieceBytes >= 1;) {
        const isTaken = await file.write(Buffer.alloc(pieceBytes, 1)).then(
          ({ bytesWritten }) => bytesWritten === pieceBytes,
          () => false,
        );
        if (!isTaken) pieceBytes = Math.floor(pieceBytes / 4);
      }
    } finally {
      await file.close();
    }
  }

  /** Uploads until the server rejects it. Returns the ids. */
  async function fillByUploads(sizeBytes: number): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const { status, json } = await uploadFile(server, account, `file-${ids.length}`, someBytes(sizeBytes));
      if (status !== 200) {
        expect({ status, code: json.code }).toEqual({ status: 507, code: 'INSUFFICIENT_STORAGE' });
        return ids;
      }
      ids.push(json.response.id);
    }
  }

  it('is filled down to the minimum of free space, emptied by deletions and filled again', async () => {
    const ids = await fillByUploads(mib);
    expect(ids.length).toBeGreaterThan((diskBytes - floorBytes) / mib - 4 - 6);
    expect(freeBytes()).toBeGreaterThan(floorBytes - beyondFloorBytes);
    const some = ids.slice(0, isLong ? 20 : 12);
    expect((await deleteFiles(server, account, some)).json.response.deleted).toEqual(some);
    await expect.poll(freeBytes).toBeGreaterThan(some.length * mib);
    await expect.poll(async () => (await uploadFile(server, account, 'again', someBytes(mib))).status).toBe(200);
    await expect.poll(async () => (await readDataFolder(dataDir(), { bytes: true })).problems).toEqual([]);
  });

  it('keeps its minimum during a burst of parallel uploads, announced or not, large or small', async () => {
    // More than twice the free space.
    const share = diskBytes / (64 * mib);
    let leastFree = freeBytes();
    const timer = setInterval(() => (leastFree = Math.min(leastFree, freeBytes())), 1);
    const flowing = (name: string, bytes: Uint8Array) => {
      const boundary = 'x'.repeat(20);
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
      const body = new ReadableStream({
        start(controller) {
          for (const piece of [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
            controller.enqueue(piece);
          controller.close();
        },
      });
      return ask(`${server.urls.base}/v1/objects?name=${name}`, {
        method: 'POST',
        credential: account.credential,
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body,
        duplex: 'half',
      } as RequestInit);
    };
    const bursts = await Promise.all([
      ...Array.from({ length: 60 * share }, (_, number) =>
        uploadFile(server, account, `large-${number}`, someBytes(mib)),
      ),
      ...Array.from({ length: 30 * share }, (_, number) => flowing(`flowing-${number}`, someBytes(mib))),
      ...Array.from({ length: 300 * share }, (_, number) =>
        uploadFile(server, account, `small-${number}`, someBytes(15_000)),
      ),
    ]);
    clearInterval(timer);
    const codes = bursts.map(({ status }) => status);
    expect(new Set(codes)).toEqual(new Set([200, 507]));
    expect(leastFree).toBeGreaterThan(floorBytes - beyondFloorBytes);
    await expect.poll(async () => (await readDataFolder(dataDir(), { bytes: true })).problems).toEqual([]);
  });

  it('that another program has filled allows reads, deletions, revocations, and refills its reserve', async () => {
    const bytes = someBytes(2 * mib);
    const kept = (await uploadFile(server, account, 'kept', bytes)).json.response.id;
    const large = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, number) => (await uploadFile(server, account, `large-${number}`, someBytes(mib))).json.response.id,
      ),
    );
    const small = await Promise.all(
      Array.from(
        { length: 150 },
        async (_, number) => (await uploadFile(server, account, `small-${number}`, someBytes(2_000))).json.response.id,
      ),
    );
    await fillToTheBrim();

    await expect.poll(storage).toBe('full');
    for (const size of [1_000, mib])
      expect((await uploadFile(server, account, 'more', someBytes(size))).json.code).toBe('INSUFFICIENT_STORAGE');
    // Deleting small files frees nothing on the disk, because only their rows go.
    for (const id of small) expect((await deleteFiles(server, account, [id])).status).toBe(200);
    expect((await fetchFile(server, kept)).bytes.equals(bytes)).toBe(true);
    expect((await ask(`${server.urls.base}/v1/account/keys`, { credential: account.credential })).status).toBe(200);
    const revoked = await ask(`${server.urls.base}/v1/account/keys`, {
      method: 'POST',
      credential: account.credential,
      body: JSON.stringify({ name: 'short', scopes: ['blob:read'] }),
    });
    expect(
      (
        await ask(`${server.urls.base}/v1/account/keys/${revoked.json.response.id}`, {
          method: 'DELETE',
          credential: account.credential,
        })
      ).status,
    ).toBe(200);
    for (const id of large) expect((await deleteFiles(server, account, [id])).status).toBe(200);
    await expect.poll(freeBytes).toBeGreaterThan(7 * mib);

    await rm(join(disk, 'of-another-program'));
    await expect.poll(reserveBytes).toBe(4 * mib);
    // A rejection may rest on a reading of the disk from 100 ms before.
    await expect.poll(async () => (await uploadFile(server, account, 'again', someBytes(mib))).status).toBe(200);
    await expect.poll(async () => (await readDataFolder(dataDir(), { bytes: true })).problems).toEqual([]);
  });

  it.each(
    isLong
      ? [
          ['SIGTERM', 'SIGTERM'],
          ['SIGKILL', 'SIGKILL'],
          ['SIGTERM', 'SIGKILL'],
        ]
      : [['SIGTERM', 'SIGKILL']],
  )('with no byte left lets the server start after %s and again after %s, and files be deleted', async (...ways) => {
    const ids = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, number) => (await uploadFile(server, account, `large-${number}`, someBytes(mib))).json.response.id,
      ),
    );
    const cubby = cubbyHere(dataDir(), { CUBBY_MIN_FREE_BYTES: String(floorBytes) });
    for (const [round, way] of ways.entries()) {
      await fillToTheBrim();
      if (way === 'SIGTERM') await server.stop();
      else await server.kill();
      await fillToTheBrim();
      await start();
      expect(await storage()).toBe('full');
      expect((await fetchFile(server, ids[5]!)).bytes).toHaveLength(mib);
      expect((await uploadFile(server, account, 'more', someBytes(1_000))).status).toBe(507);
      // A command works while the server runs.
      const listed = await cubby.json('account', 'list');
      expect(listed).toContainEqual(expect.objectContaining({ account_id: account.id }));
      expect((await deleteFiles(server, account, [ids[round]!])).status).toBe(200);
    }
    await rm(join(disk, 'of-another-program'));
    await expect.poll(async () => (await uploadFile(server, account, 'again', someBytes(mib))).status).toBe(200);
    await expect.poll(async () => (await readDataFolder(dataDir(), { bytes: true })).problems).toEqual([]);
  });
});
