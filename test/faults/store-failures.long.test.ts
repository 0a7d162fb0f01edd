import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  BlobStoreFailed,
  type BlobHashes,
  type BlobStore,
  type PutOptions,
  type StoredBlob,
} from '#server/domain/ports/blobs.ts';
import { MetadataFailed } from '#server/domain/ports/metadata.ts';
import { isOnBucket } from '#test/support/chosen-store.ts';
import { StoreFaults } from '#test/contract/code-pairs/store-faults.ts';
import { sha256, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { openLink, shareFile } from '#test/support/shares.ts';
import { ask, deleteFiles, fetchFile, rawUpload, uploadFile, type Listening } from './client.ts';
import { readDataFolder } from './data-folder.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { noStrace, sabotage } from './strace.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const small = 3_000;
const large = 300_000;

function broken(): BlobStoreFailed {
  return new BlobStoreFailed(
    'The blob store could not write a blob: ENOSPC: no space left on device',
    Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }),
  );
}

/** The real blob store with injected failures. As in the real one, a failed put leaves nothing behind. */
class FailingBlobs implements BlobStore {
  readonly #real: BlobStore;
  failsAt: 'nothing' | 'the first byte' | 'the middle' | 'the end' | 'open' | 'delete' | 'one delete' = 'nothing';
  #stuck: string | undefined;

  constructor(real: BlobStore) {
    this.#real = real;
  }

  async put(blobId: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<BlobHashes> {
    if (this.failsAt === 'the first byte') throw broken();
    return this.#real.put(blobId, this.#passing(source), options);
  }

  async *#passing(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let passed = 0;
    for await (const chunk of source) {
      yield chunk;
      passed += chunk.length;
      if (this.failsAt === 'the middle' && passed > 100_000) throw broken();
    }
    if (this.failsAt === 'the end') throw broken();
  }

  async open(...args: Parameters<BlobStore['open']>): ReturnType<BlobStore['open']> {
    if (this.failsAt === 'open') throw broken();
    return this.#real.open(...args);
  }

  async delete(blobId: string): Promise<void> {
    if (this.failsAt === 'one delete') this.#stuck ??= blobId;
    if (this.failsAt === 'delete' || (this.failsAt === 'one delete' && blobId === this.#stuck)) throw broken();
    await this.#real.delete(blobId);
  }

  ids(): AsyncIterable<StoredBlob> {
    return this.#real.ids();
  }
}

function settled(dataDir: string) {
  return expect.poll(async () => (await readDataFolder(dataDir, { bytes: true })).problems, { interval: 50 });
}

/** Checks that the server still works: files of both kinds can be uploaded, read and deleted. */
async function expectToWork(server: Listening, account: TestAccount): Promise<void> {
  for (const size of [small, large]) {
    const bytes = someBytes(size);
    const { status, json } = await uploadFile(server, account, `works-${size}`, bytes);
    expect(status).toBe(200);
    expect(sha256((await fetchFile(server, json.response.id)).bytes)).toBe(sha256(bytes));
    expect((await deleteFiles(server, account, [json.response.id])).status).toBe(200);
  }
}

describe('a blob store that fails', () => {
  let server: TestServer;
  let blobs: FailingBlobs;
  let account: TestAccount;
  beforeAll(async () => void (server = await startTestServer({ blobs: (real) => (blobs = new FailingBlobs(real)) })));
  beforeEach(async () => {
    blobs.failsAt = 'nothing';
    account = await server.account();
  });
  afterAll(() => server.stop());

  const uploadedLarge = (names: readonly string[]): Promise<string[]> =>
    Promise.all(
      names.map(async (name) => (await uploadFile(server.running, account, name, someBytes(large))).json.response.id),
    );

  it.each(['the first byte', 'the middle', 'the end'] as const)(
    'at %s of an upload makes it UPLOAD_FAILED and leaves nothing behind',
    async (step) => {
      const before = server.log.length;
      blobs.failsAt = step;
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, number) =>
          uploadFile(server.running, account, `file-${number}`, someBytes(large)),
        ),
      );
      expect(answers.map(({ status, json }) => [status, json.code])).toEqual(answers.map(() => [500, 'UPLOAD_FAILED']));
      // Small files need no blob.
      const ofSmall = await uploadFile(server.running, account, 'small', someBytes(small));
      expect(ofSmall.status).toBe(200);
      await settled(server.dataDir).toEqual([]);
      expect(await readDataFolder(server.dataDir)).toMatchObject({ usedBytes: small, usedObjects: 1, files: [] });
      expect(
        server.log
          .slice(before)
          .filter(({ level }) => level === 'error')
          .map(({ operation }) => operation),
      ).toEqual(answers.map(() => 'uploadObject'));

      blobs.failsAt = 'nothing';
      await deleteFiles(server.running, account, [ofSmall.json.response.id]);
      await expectToWork(server.running, account);
      await settled(server.dataDir).toEqual([]);
    },
  );

  it('at a replacement keeps the previous file, and at a download makes the server respond with 503', async () => {
    const bytes = someBytes(large);
    const { id } = (await uploadFile(server.running, account, 'kept', bytes)).json.response;
    blobs.failsAt = 'the end';
    expect((await uploadFile(server.running, account, 'kept', someBytes(large))).json.code).toBe('UPLOAD_FAILED');
    blobs.failsAt = 'open';
    expect((await fetchFile(server.running, id)).status).toBe(503);
    blobs.failsAt = 'nothing';
    expect((await fetchFile(server.running, id)).bytes.equals(bytes)).toBe(true);
    await deleteFiles(server.running, account, [id]);
    await settled(server.dataDir).toEqual([]);
  });

  it('at the removal of bytes makes the server remove them later', async () => {
    const ids = await uploadedLarge(['a', 'b', 'c']);
    const before = server.log.length;
    blobs.failsAt = 'delete';
    expect((await deleteFiles(server.running, account, ids)).json.response.deleted).toEqual(ids);
    await expect.poll(() => server.log.slice(before).some(({ job }) => job === 'reap-blobs')).toBe(true);
    expect(await readDataFolder(server.dataDir)).toMatchObject({ blobsToDelete: 3, usedBytes: 0 });
    blobs.failsAt = 'nothing';
    await expectToWork(server.running, account);
    await settled(server.dataDir).toEqual([]);
  });

  it('at the removal of one blob does not prevent the removal of the others', async () => {
    const ids = await uploadedLarge(['a', 'b', 'c']);
    blobs.failsAt = 'one delete';
    await deleteFiles(server.running, account, ids);
    await expect.poll(() => readDataFolder(server.dataDir)).toMatchObject({ blobsToDelete: 1, files: { length: 1 } });
    blobs.failsAt = 'nothing';
    await expectToWork(server.running, account);
    await settled(server.dataDir).toEqual([]);
  });
});

describe('a database that cannot be read', () => {
  it('makes a list LIST_FAILED, and the next list succeeds', async () => {
    let isBroken = false;
    const server = await startTestServer({
      metadata: (real) => ({
        atomically: (work) => real.atomically(work),
        read: {
          ...real.read,
          objects: {
            ...real.read.objects,
            find: (address) => real.read.objects.find(address),
            async scan(scan) {
              if (isBroken)
                throw new MetadataFailed('The database cannot be read at the moment.', new Error('disk I/O error'));
              return real.read.objects.scan(scan);
            },
          },
        },
      }),
    });
    const { credential } = await server.account();
    isBroken = true;
    expect((await ask(`${server.running.urls.base}/v1/objects`, { credential })).json.code).toBe('LIST_FAILED');
    isBroken = false;
    expect((await ask(`${server.running.urls.base}/v1/objects`, { credential })).status).toBe(200);
  });
});

describe('links while the database cannot be read', () => {
  it('get STORAGE_UNAVAILABLE, and open once the database can be read', async () => {
    const faults = new StoreFaults();
    const server = await startTestServer({ metadata: faults.metadata });
    const account = await server.account();
    const share = await shareFile(server, account);
    const query = new URLSearchParams({ object: share.object, redirect: 'false' });
    const { url } = (await server.send(`/v1/objects/download?${query}`, { credential: account.credential })).json()
      .response;
    const links = [share, { path: new URL(url).pathname }];
    const statuses = () => Promise.all(links.map(async (link) => (await openLink(server, link)).status));
    expect(await faults.unavailable('objects.find', statuses)).toEqual([503, 503]);
    expect(await statuses()).toEqual([200, 200]);
  });
});

/** Starts another process that holds the database's lock until `release()`, as a backup or a careless operator may. */
async function lockDatabase(dataDir: string): Promise<{ release(): Promise<void> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
    db.exec('BEGIN IMMEDIATE');
    process.stdout.write('locked');
    process.stdin.on('end', () => { db.exec('ROLLBACK'); process.exit(0); }).resume();
  `;
  const child = spawn(process.execPath, ['-e', script, join(dataDir, 'cubby.db')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    async release() {
      child.stdin.end();
      await gone;
    },
  };
}

describe('a database that another process has locked', () => {
  it('makes writes STORAGE_UNAVAILABLE after a while, does not affect reads, and recovers', async () => {
    const server = await startTestServer(isLong ? {} : { maxBusyMs: 1_000 });
    const account = await server.account();
    const bytes = someBytes(large);
    const { id } = (await uploadFile(server.running, account, 'there', bytes)).json.response;
    const midway = await rawUpload(server.running, account, 'midway', someBytes(large));
    await midway.sendUntil(midway.at.content + 200_000);
    await expect.poll(async () => (await readDataFolder(server.dataDir)).reservations).toBe(1);

    const lock = await lockDatabase(server.dataDir);
    void midway.sendUntil(midway.at.end);
    const writes = Promise.all([
      uploadFile(server.running, account, 'small', someBytes(small)),
      uploadFile(server.running, account, 'large', someBytes(large)),
      deleteFiles(server.running, account, [id]),
      deleteFiles(server.running, account, [id, `pub/${account.id}/none.png`]),
    ]);
    expect((await fetchFile(server.running, id)).bytes.equals(bytes)).toBe(true);
    expect((await server.send('/v1/objects', { credential: account.credential })).json().response.objects).toHaveLength(
      1,
    );
    expect((await server.send(`/v1/objects/info?object=${id}`, { credential: account.credential })).status).toBe(200);
    expect((await writes).map(({ json }) => json.code)).toEqual(Array(4).fill('STORAGE_UNAVAILABLE'));
    expect(await midway.status()).toBe(503);
    await lock.release();

    // Bytes that had arrived before the lock are removed too, without a restart.
    await settled(server.dataDir).toEqual([]);
    expect(await readDataFolder(server.dataDir)).toMatchObject({ usedObjects: 1, usedBytes: large });
    await expectToWork(server.running, account);
    await settled(server.dataDir).toEqual([]);
  });

  it('delays writes that can wait', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const lock = await lockDatabase(server.dataDir);
    const uploads = [small, large].map((size) => uploadFile(server.running, account, `waits-${size}`, someBytes(size)));
    setTimeout(() => void lock.release(), 500);
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([200, 200]);
    await settled(server.dataDir).toEqual([]);
  });
});

describe.skipIf(noStrace)(
  `a disk that fails under the running server${noStrace ? ` (skipped: ${noStrace})` : ''}`,
  () => {
    let server: SpawnedServer;
    let account: TestAccount;
    beforeAll(async () => {
      server = await spawnServer();
      account = await server.account();
      await expectToWork(server, account);
    });
    afterAll(() => server.remove());

    const log = () => [join(server.dataDir, 'cubby.db-wal')];
    const uploadBoth = () =>
      Promise.all([small, large].map((size) => uploadFile(server, account, `fails-${size}`, someBytes(size))));

    /** Checks that failed requests left nothing, without a restart, and that everything works. */
    async function expectToRecover(): Promise<void> {
      await expectToWork(server, account); // also restarts the removal of blobs, if it failed meanwhile
      await settled(server.dataDir).toEqual([]);
      expect(await readDataFolder(server.dataDir)).toMatchObject({ usedObjects: 0, usedBytes: 0, files: [] });
    }

    it('that is full for the database makes writes fail and keeps reads going', async () => {
      const bytes = someBytes(large);
      const { id } = (await uploadFile(server, account, 'there', bytes)).json.response;
      const full = await sabotage(server.pid, 'pwrite64:error=ENOSPC', log());
      expect((await uploadBoth()).map(({ json }) => json.code)).toEqual([
        'INSUFFICIENT_STORAGE',
        'INSUFFICIENT_STORAGE',
      ]);
      expect((await deleteFiles(server, account, [id])).json.code).toBe('DELETE_FAILED');
      expect((await fetchFile(server, id)).bytes.equals(bytes)).toBe(true);
      expect(
        (await ask(`${server.urls.base}/v1/objects`, { credential: account.credential })).json.response.objects,
      ).toHaveLength(1);
      await full.end();
      expect((await deleteFiles(server, account, [id])).status).toBe(200);
      await expectToRecover();
    });

    it('that is full for the database after an upload has started fails that upload', async () => {
      const upload = await rawUpload(server, account, 'midway', someBytes(large));
      await upload.sendUntil(upload.at.content + 200_000);
      await expect.poll(async () => (await readDataFolder(server.dataDir)).reservations).toBe(1);
      const full = await sabotage(server.pid, 'pwrite64:error=ENOSPC', log());
      await upload.sendUntil(upload.at.end);
      expect(await upload.status()).toBe(507);
      upload.socket.destroy();
      await full.end();
      await expectToRecover();
    });

    it('that the database cannot read fails reads until it works again', async () => {
      const { id } = (await uploadFile(server, account, 'there', someBytes(small))).json.response;
      const broken = await sabotage(server.pid, 'pread64:error=EIO', [...log(), join(server.dataDir, 'cubby.db')]);
      const list = () => ask(`${server.urls.base}/v1/objects`, { credential: account.credential });
      // Earlier reads may be cached: the caller, or even the page.
      const { status, json } = await list();
      if (status !== 200) expect(['LIST_FAILED', 'STORAGE_UNAVAILABLE']).toContain(json.code);
      await broken.end();
      expect((await list()).json.response.objects.map((object: { id: string }) => object.id)).toEqual([id]);
      expect((await deleteFiles(server, account, [id])).status).toBe(200);
      await expectToRecover();
    });

    it('that is slow to sync the log delays writes, but not reads', async () => {
      const { id } = (await uploadFile(server, account, 'there', someBytes(small))).json.response;
      // Lasts a minute, unless the disk is released before.
      const slow = await sabotage(server.pid, 'fdatasync:delay_enter=60000000', log());
      const order: string[] = [];
      const upload = uploadFile(server, account, 'slow', someBytes(small)).then(({ status }) =>
        order.push(`stored ${status}`),
      );
      for (let count = 0; count < 20; count++) {
        expect((await fetchFile(server, id)).status).toBe(200);
        order.push('read');
      }
      order.push('the disk is let go');
      await slow.end();
      await upload;
      expect(order).toEqual([...Array<string>(20).fill('read'), 'the disk is let go', 'stored 200']);
      const { objects } = (await ask(`${server.urls.base}/v1/objects`, { credential: account.credential })).json
        .response;
      expect(
        (
          await deleteFiles(
            server,
            account,
            objects.map((object: { id: string }) => object.id),
          )
        ).status,
      ).toBe(200);
      await expectToRecover();
    });

    it.skipIf(isOnBucket).each([
      ['sync a folder', 'fsync:error=EIO'],
      ['name a file', 'rename:error=EIO'],
    ])('that cannot %s of blobs makes every large upload fail', async (_, call) => {
      // Blobs are in one folder for each two letters with which a name can begin. The database syncs no folders.
      const letters = [...'abcdefghijklmnopqrstuvwxyz234567'];
      const folders = letters.flatMap((first) =>
        letters.map((second) => join(server.dataDir, 'blobs', first + second)),
      );
      const broken = await sabotage(server.pid, call, call.startsWith('fsync') ? folders : []);
      const uploads = await Promise.all(
        Array.from({ length: 8 }, (_each, number) => uploadFile(server, account, `broken-${number}`, someBytes(large))),
      );
      expect(new Set(uploads.map(({ json }) => json.code))).toEqual(new Set(['UPLOAD_FAILED']));
      await broken.end();
      await expectToRecover();
    });

    // This test is the last, because no server runs afterwards.
    it('that does not store the log ends the server without more responses and loses nothing stored', async () => {
      const bytes = someBytes(large);
      const { id } = (await uploadFile(server, account, 'answered', bytes)).json.response;
      const broken = await sabotage(server.pid, 'fdatasync:error=EIO', log());
      const outcomes = await Promise.allSettled(
        [small, large].map((size) => uploadFile(server, account, `lost-${size}`, someBytes(size))),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await server.ended()).toBe(1);
      await broken.end();
      expect(server.stderr()).toContain('THE DISK DID NOT TAKE');

      const next = await spawnServer({ dataDir: server.dataDir });
      try {
        expect((await fetchFile(next, id)).bytes.equals(bytes)).toBe(true);
        // A change in doubt is either stored or not, but complete: rows, bytes and usage agree.
        await expect.poll(async () => (await readDataFolder(next.dataDir, { bytes: true })).problems).toEqual([]);
        await expectToWork(next, account);
      } finally {
        await next.kill();
      }
    });
  },
);
