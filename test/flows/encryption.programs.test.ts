import { glob, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readStored } from '#test/faults/data-folder.ts';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '#test/s3/small-client.ts';
import { gatewayOf } from '#test/s3/gateway.ts';
import { startGatewayBucket } from '#test/stores/bucket/gateway-bucket.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { TestClock } from '#test/support/clock.ts';
import { testKeyEncryptionKey } from '#test/support/decrypted.ts';
import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { shareObject } from '#test/support/shares.ts';
import { blobsOfFiles, fileBlobs, sqliteRows } from '#test/support/stored.ts';

const encrypted = { CUBBY_KEY_ENCRYPTION_KEY: testKeyEncryptionKey };

/** A text that is in every file, in each stretch of a kilobyte. */
const marker = 'The quick brown fox jumps over the lazy dog 0123456789';

function markedBytes(sizeBytes: number): Buffer {
  const bytes = someBytes(sizeBytes);
  for (let at = 0; at + marker.length <= sizeBytes; at += 1_024) bytes.write(marker, at);
  return bytes;
}

/** Returns the files of a folder that hold the marker. */
async function filesWithMarker(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(path)).includes(marker)) found.push(path);
  }
  return found;
}

async function download(server: TestServer, { credential }: TestAccount, object: string, range?: string) {
  const link = await server.send(`/v1/objects/download?${new URLSearchParams({ object })}`, { credential });
  const { pathname, search } = new URL(link.headers.get('location')!);
  return server.send(pathname + search, { door: 'files', ...(range !== undefined && { headers: { range } }) });
}

async function store(server: TestServer, account: TestAccount, name: string, bytes: Uint8Array): Promise<string> {
  const stored = await upload(server, account, { bytes, query: { name, private: 'true', hash: 'true' } });
  expect(stored.json().response.sha256).toBe(sha256(bytes));
  return stored.json().response.id;
}

describe('a server with a key-encryption key', () => {
  it.each([512, 5_000, 16_384, 16_385, 65_536, 1_000_000])(
    'stores and returns a file of %i bytes and ranges of it, through each door',
    async (sizeBytes) => {
      const server = await startTestServer({ env: encrypted });
      const account = await server.account('enterprise');
      const bytes = markedBytes(sizeBytes);
      const id = await store(server, account, 'one', bytes);
      expect((await download(server, account, id)).body.equals(bytes)).toBe(true);
      for (const [start, end] of [
        [0, 0],
        [sizeBytes - 1, sizeBytes - 1],
        [Math.floor(sizeBytes / 3), Math.floor(sizeBytes / 2)],
      ] as const) {
        const part = await download(server, account, id, `bytes=${start}-${end}`);
        expect(part.status).toBe(206);
        expect(part.body.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
      const share = await shareObject(server, account, id, { expires_in: 3600 });
      const shared = await server.send(`${share.path}?download=1`, { door: 'files' });
      expect(shared.body.equals(bytes)).toBe(true);
      const open = await upload(server, account, { bytes, query: { name: 'public' } });
      const url = new URL(open.json().response.url);
      expect((await server.send(url.pathname, { door: 'public' })).body.equals(bytes)).toBe(true);
    },
  );

  it('stores and returns an empty file, which only S3 takes', async () => {
    const server = await startTestServer({ env: encrypted, clock: new RunningClock(0) });
    const { client } = await gatewayOf(server, await server.account('enterprise'));
    const at = { Bucket: 'private', Key: 'empty' };
    await client.send(new PutObjectCommand({ ...at, Body: '', ContentLength: 0 }));
    expect(await (await client.send(new GetObjectCommand(at))).Body!.transformToString()).toBe('');
    client.destroy();
  });

  it('encrypts files of many parts and those over S3, and leaves no clear byte on the disk', async () => {
    const server = await startTestServer({ env: encrypted, ownStores: true, clock: new RunningClock(0) });
    const account = await server.account('enterprise');
    const { dataDir } = server;
    const parts = [markedBytes(partBytes), markedBytes(partBytes + 17), markedBytes(700)];
    const whole = Buffer.concat(parts);
    const chunked = chunking(() => server);
    const handle = await chunked.open(account, { private: 'true' });
    for (const [at, part] of parts.entries()) await chunked.put(account, handle, at + 1, part);
    const { id } = (await chunked.complete(account, handle)).json().response;
    expect((await download(server, account, id)).body.equals(whole)).toBe(true);
    const across = await download(server, account, id, `bytes=${partBytes - 70_000}-${partBytes + 70_000}`);
    expect(across.body.equals(whole.subarray(partBytes - 70_000, partBytes + 70_001))).toBe(true);

    const { client } = await gatewayOf(server, account);
    const at = { Bucket: 'private', Key: 'of-parts.bin' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
    const Parts = [];
    for (const [index, Body] of parts.entries()) {
      const PartNumber = index + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }));
      Parts.push({ ETag, PartNumber });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
    await client.send(
      new CopyObjectCommand({ Bucket: 'private', Key: 'copy.bin', CopySource: 'private/of-parts.bin' }),
    );
    const copy = await client.send(new GetObjectCommand({ Bucket: 'private', Key: 'copy.bin' }));
    expect(sha256(await copy.Body!.transformToByteArray())).toBe(sha256(whole));
    await store(server, account, 'small', markedBytes(3_000));
    await store(server, account, 'large', markedBytes(3_000_000));

    expect(await filesWithMarker(dataDir)).toEqual([]);
    const rows = sqliteRows(dataDir);
    const { problems, files } = await readStored(rows, fileBlobs(dataDir), { bytes: true });
    await rows.close();
    expect(problems).toEqual([]);
    expect(files.every((name) => /^[a-z2-7]{26}\.[a-z2-7]{6}$/.test(name))).toBe(true);
    client.destroy();
  });

  it('has ciphertext alone in rows and blobs where the server itself looks', async () => {
    const server = await startTestServer({ env: encrypted, ownStores: true });
    const account = await server.account('enterprise');
    for (const sizeBytes of [600, 60_000]) await store(server, account, `f-${sizeBytes}`, markedBytes(sizeBytes));
    const rows = sqliteRows(server.dataDir);
    const [small, large] = (await rows.all(
      `SELECT blob_id, size_bytes, inline FROM ${blobsOfFiles} ORDER BY size_bytes`,
    )) as [any, any];
    await rows.close();
    expect([small.size_bytes, small.inline.length]).toEqual([600, 616]);
    expect([large.size_bytes, large.inline]).toEqual([60_000, null]);
    expect(small.blob_id.slice(26)).toBe(large.blob_id.slice(26));
  });

  it('cuts the response at the first damaged segment, and tells the log', async () => {
    const server = await startTestServer({ env: encrypted, ownStores: true });
    const account = await server.account('enterprise');
    const bytes = markedBytes(400_000);
    const id = await store(server, account, 'damaged', bytes);
    const [path] = await Array.fromAsync(glob(join(server.dataDir, 'blobs/*/*.*')));
    if (path === undefined) throw new Error('There is no encrypted blob.');
    const kept = await readFile(path);
    kept[300_000]! ^= 4;
    await writeFile(path, kept);
    await expect(download(server, account, id)).rejects.toThrow();
    expect(server.log.some((line) => JSON.stringify(line).includes('are damaged'))).toBe(true);
    const before = await download(server, account, id, 'bytes=0-99');
    expect(before.body.equals(bytes.subarray(0, 100))).toBe(true);
  });

  it('sends the bytes itself where clients would be sent to the bucket', async () => {
    const bucket = await startGatewayBucket();
    const { bucket: name, prefix, region, accessKeyId, secretAccessKey } = bucket.place();
    const env = {
      CUBBY_BLOBS_URL: `s3://${name}/${prefix}?${new URLSearchParams({ endpoint: bucket.gateway.url, region })}`,
      CUBBY_BLOBS_ACCESS_KEY_ID: accessKeyId,
      CUBBY_BLOBS_SECRET_ACCESS_KEY: secretAccessKey,
      CUBBY_BLOBS_REDIRECT: 'on',
    };
    const clear = await startTestServer({ env, ownStores: true });
    const account = await clear.account('enterprise');
    const bytes = markedBytes(100_000);
    const before = await store(clear, account, 'before', bytes);
    expect((await download(clear, account, before)).status).toBe(307);
    const { dataDir } = clear;
    await clear.running.stop();
    const server = await startTestServer({ env: { ...env, ...encrypted }, ownStores: true, dataDir });
    const after = await store(server, account, 'after', bytes);
    const sent = await download(server, account, after);
    expect(sent.status).toBe(200);
    expect(sent.body.equals(bytes)).toBe(true);
    // Files from before are clear, and the bucket can send them.
    expect((await download(server, account, before)).status).toBe(307);
    await server.stop();
    await bucket.gateway.stop();
  });
});

describe('a server that gets a key-encryption key later', () => {
  it('reads the clear files from before, and needs the key from then on', async () => {
    const first = await startTestServer({ ownStores: true });
    const account = await first.account('enterprise');
    const { dataDir } = first;
    const files = new Map<string, Buffer>();
    const add = async (server: TestServer, name: string): Promise<void> => {
      for (const sizeBytes of [3_000, 300_000]) {
        const bytes = markedBytes(sizeBytes);
        files.set(await store(server, account, `${name}-${sizeBytes}`, bytes), bytes);
      }
    };
    await add(first, 'clear');
    await first.running.stop();
    const second = await startTestServer({ ownStores: true, dataDir, env: encrypted });
    await add(second, 'hidden');
    for (const [id, bytes] of files) expect((await download(second, account, id)).body.equals(bytes)).toBe(true);
    await second.running.stop();
    const start = (env = {}) => startTestServer({ ownStores: true, dataDir, env });
    await expect(start()).rejects.toThrow(/are encrypted, but there is no key-encryption key\. Set CUBBY_KEY_ENC/);
    const other = { CUBBY_KEY_ENCRYPTION_KEY: 'another key with at least 32 characters' };
    await expect(start(other)).rejects.toThrow(/encrypted with another key-encryption key than the configured one/);
    const again = await start(encrypted);
    for (const [id, bytes] of files) expect((await download(again, account, id)).body.equals(bytes)).toBe(true);
  });
});

/** The SDK of S3 signs with the machine's time. */
class RunningClock extends TestClock {
  override now(): number {
    return Date.now() + super.now();
  }
}
