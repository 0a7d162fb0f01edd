import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { deleteFiles, fetchFile, rawUpload, uploadFile, type RawUpload } from './client.ts';
import { readDataFolder } from './data-folder.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Parallel uploads that an account may have. */
const places = 4;

/** Size of a file that is stored as a blob. */
const usualBytes = 600_000;

/** Polls the data folder until it is at rest, because the server notices a closed connection a moment later. */
function atRest(server: TestServer) {
  return expect.poll(
    async () => {
      const { objects, files, reservations, blobsToDelete, usedBytes, reservedBytes, problems } = await readDataFolder(
        server.dataDir,
      );
      return {
        objects: objects.length,
        files: files.length,
        reservations,
        blobsToDelete,
        usedBytes,
        reservedBytes,
        problems,
      };
    },
    { interval: 20 },
  );
}

const nothing = {
  objects: 0,
  files: 0,
  reservations: 0,
  blobsToDelete: 0,
  usedBytes: 0,
  reservedBytes: 0,
  problems: [],
};

const ways: ReadonlyArray<[string, (upload: RawUpload) => void]> = [
  ['closes its side', ({ socket }) => void socket.end()],
  ['is cut off', ({ socket }) => void socket.resetAndDestroy()],
];

/** Takes all places of the account, each with an upload that has sent the bytes before `offset`. */
async function uploadsUpTo(
  server: TestServer,
  account: TestAccount,
  bytes: Buffer,
  offset: (at: RawUpload['at']) => number,
): Promise<RawUpload[]> {
  const uploads = await Promise.all(
    Array.from({ length: places }, (_, number) => rawUpload(server.running, account, `gone-${number}`, bytes)),
  );
  for (const upload of uploads) await upload.sendUntil(offset(upload.at));
  return uploads;
}

function isRefusedForPlaces(server: TestServer, account: TestAccount) {
  return expect.poll(async () => (await uploadFile(server.running, account, 'too-small', someBytes(100))).json.code);
}

describe('a client that disconnects in the middle of an upload leaves nothing behind', () => {
  let server: TestServer;
  /** Requests that the server has received, and those of them that are under way. */
  let received = 0;
  let open = 0;
  beforeAll(async () => {
    server = await startTestServer({
      rateLimits: true,
      door: (_name, real) => (req, res) => {
        received++;
        open++;
        res.once('close', () => open--);
        real(req, res);
      },
    });
  });
  afterAll(() => server.stop());

  const points: ReadonlyArray<[string, (at: RawUpload['at']) => number, sizeBytes?: number]> = [
    ['in the headers of the part', ({ partHead }) => partHead + 70],
    ['after 1 KiB', ({ content }) => content + 1024],
    ['after 20 KiB', ({ content }) => content + 20 * 1024],
    ['after 5 MB', ({ content }) => content + 5_000_000, 6_000_000],
    ['just before the closing boundary', ({ closing }) => closing],
    ['in the closing boundary', ({ end }) => end - 3],
  ];

  for (const [way, goAway] of ways) {
    it.each(points)(`when it ${way} %s`, async (_, offset, sizeBytes = usualBytes) => {
      const account = await server.account();
      const before = received;
      const uploads = await uploadsUpTo(server, account, someBytes(sizeBytes), offset);
      // A later request could otherwise take the place of one of them.
      await expect.poll(() => received - before).toBe(places);
      await isRefusedForPlaces(server, account).toBe('TOO_MANY_CONCURRENT_UPLOADS');

      for (const upload of uploads) goAway(upload);

      await atRest(server).toEqual(nothing);
      await expect
        .poll(async () => (await uploadFile(server.running, account, 'next', someBytes(600))).status)
        .toBe(200);
      const { status } = await deleteFiles(server.running, account, [`pub/${account.id}/next.png`]);
      expect(status).toBe(200);
    });
  }

  it.each([
    ['small', 5_000],
    ['large', 300_000],
  ])('or the whole file, when it had sent all of a %s one and did not wait for the response', async (_, size) => {
    const account = await server.account();
    for (let round = 0; round < (isLong ? 200 : 12); round++) {
      const upload = await rawUpload(server.running, account, `gone-${round}`, someBytes(size));
      await upload.sendUntil(upload.at.closing);
      await upload.sendUntil(upload.at.end);
      await sleep((round % 12) / 2);
      ways[round % 2]![1](upload);
    }
    // An upload can end after its connection has, so files are deleted until no more come.
    const deleteStored = async () => {
      const { objects, files } = await readDataFolder(server.dataDir);
      const stored = objects.filter(({ accountId }) => accountId === account.id);
      for (const { sizeBytes } of stored) expect(sizeBytes).toBe(size);
      if (size > 16_384) expect(files.length).toBeGreaterThanOrEqual(stored.length);
      for (const { key } of stored)
        expect((await deleteFiles(server.running, account, [`pub/${account.id}/${key}`])).status).toBe(200);
      return open + stored.length;
    };
    await expect.poll(deleteStored).toBe(0);
    await expect.poll(async () => (await readDataFolder(server.dataDir, { bytes: true })).problems).toEqual([]);
    await atRest(server).toEqual(nothing);
  });

  it('logs that the client disconnected, and never a fault', () => {
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that disconnects while the bytes are made durable', () => {
  it('leaves no row and no blob', async () => {
    const reached = Promise.withResolvers<void>();
    const isGone = Promise.withResolvers<void>();
    const server = await startTestServer({
      blobs: (real) => ({
        put: async (blobId, source, options) => {
          const hashes = await real.put(blobId, source, options);
          options!.signal!.addEventListener('abort', () => isGone.resolve());
          reached.resolve();
          await isGone.promise; // the real store may wait here for long while it syncs the folder
          return hashes;
        },
        open: (...args) => real.open(...args),
        delete: (blobId) => real.delete(blobId),
        ids: () => real.ids(),
      }),
    });
    const account = await server.account();
    const upload = await rawUpload(server.running, account, 'gone', someBytes(100_000));
    await upload.sendUntil(upload.at.end);
    await reached.promise;
    expect(await readDataFolder(server.dataDir)).toMatchObject({ reservations: 1, files: { length: 1 } });
    upload.socket.destroy();
    await isGone.promise;
    await atRest(server).toEqual(nothing);
  });
});

/**
 * Returns whether the kernel probes a silent connection (`tr` is 02).
 *
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
function isWatched(serverPort: number, clientPort: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find(
      (one) =>
        one.includes(`:${hex(serverPort)} `) &&
        one
          .trim()
          .split(/\s+/)[2]
          ?.endsWith(`:${hex(clientPort)}`),
    );
  return line?.trim().split(/\s+/)[5]?.startsWith('02:') ?? false;
}

describe.skipIf(process.platform !== 'linux')('a client that vanishes without closing its connection', () => {
  it('is noticed because the kernel probes its connection', async () => {
    const server = await startTestServer();
    const upload = await rawUpload(server.running, await server.account(), 'vanished', someBytes(5_000));
    await upload.sendUntil(upload.at.content);
    const { localPort } = upload.socket;
    await expect.poll(() => isWatched(Number(new URL(server.running.urls.base).port), localPort!)).toBe(true);
    upload.socket.destroy();
  });
});

describe('slow uploads', () => {
  it('use only the upload slots of their own account', async () => {
    const server = await startTestServer({ rateLimits: true });
    const [slow, other] = [await server.account(), await server.account()];
    const bytes = someBytes(60_000);
    const uploads = await uploadsUpTo(server, slow, bytes, ({ content }) => content + 20_000);
    let isTrickling = true;
    const trickling = uploads.map(async (upload) => {
      for (let sent = 20_001; isTrickling; sent++) {
        await upload.sendUntil(upload.at.content + sent);
        await sleep(5);
      }
    });
    // Asked too early, the question itself would take a place, and one of them would be refused.
    const reserved = async () => (await readDataFolder(server.dataDir)).reservations;
    await expect.poll(reserved, { timeout: 30_000 }).toBe(places);
    await isRefusedForPlaces(server, slow).toBe('TOO_MANY_CONCURRENT_UPLOADS');

    // Their own account can read and delete, and other accounts are served normally.
    expect((await server.send('/v1/objects', { credential: slow.credential })).json().response.objects).toEqual([]);
    expect((await deleteFiles(server.running, slow, [`pub/${slow.id}/none.png`])).json.code).toBe('OBJECT_NOT_FOUND');
    for (const size of [600, 20_000, 2_000_000]) {
      const file = someBytes(size);
      const { json } = await uploadFile(server.running, other, `file-${size}`, file);
      expect((await fetchFile(server.running, json.response.id)).bytes.equals(file)).toBe(true);
    }
    // They reserve as much quota as they have announced.
    const { reservations, reservedBytes } = await readDataFolder(server.dataDir);
    expect({ reservations, reservedBytes }).toEqual({ reservations: places, reservedBytes: places * bytes.length });

    isTrickling = false;
    await Promise.all(trickling);
    for (const upload of uploads) await upload.sendUntil(upload.at.end);
    for (const upload of uploads) expect(await upload.status()).toBe(200);
    for (const upload of uploads) upload.socket.destroy();
    expect(await readDataFolder(server.dataDir, { bytes: true })).toMatchObject({
      problems: [],
      usedObjects: places + 3,
    });
  });
});
