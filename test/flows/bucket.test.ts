import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { BucketLocation } from '#server/stores/bucket/options.ts';
import { chunks, newBlobId } from '#test/stores/blob-store-conformance.ts';
import { startGatewayBucket, type GatewayBucket } from '#test/stores/bucket/gateway-bucket.ts';
import { isOnBucket } from '#test/support/chosen-store.ts';
import { startFaultyHttp } from '#test/support/faulty-http.ts';
import { upload as uploadFile } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer, type TestServerOptions } from '#test/support/server.ts';

let bucket: GatewayBucket;

beforeAll(async () => void (bucket = await startGatewayBucket()));
afterAll(() => bucket.gateway.stop());

function envOf({ endpoint, bucket, prefix, region, accessKeyId, secretAccessKey }: BucketLocation) {
  return {
    CUBBY_BLOBS_URL: `s3://${bucket}/${prefix}?${new URLSearchParams({ endpoint, region })}`,
    CUBBY_BLOBS_ACCESS_KEY_ID: accessKeyId,
    CUBBY_BLOBS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

async function startOver(location: BucketLocation, options: TestServerOptions = {}): Promise<TestServer> {
  return startTestServer({ ...options, env: { ...envOf(location), ...options.env } });
}

/** A new folder. A server with a new database may only have an empty place. */
async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bucket-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function upload(server: TestServer, account: TestAccount, name: string, bytes: Uint8Array) {
  return uploadFile(server, account, { bytes, filename: 'some.bin', query: { name, private: 'true' } });
}

async function linkOf(server: TestServer, { credential }: TestAccount, object: string): Promise<string> {
  const query = new URLSearchParams({ object, redirect: 'false' });
  const answer = await server.send(`/v1/objects/download?${query}`, { credential });
  return new URL(answer.json().response.url as string).pathname;
}

async function idsOf(server: TestServer): Promise<string[]> {
  return Array.fromAsync(server.running.app.stores.blobs.ids(), ({ blobId }) => blobId);
}

describe('a server whose larger files are in a bucket', () => {
  it('stores, serves and removes them there, and keeps small files in the database', async () => {
    const server = await startOver(bucket.place());
    const account = await server.account();
    const [small, large] = [randomBytes(2_000), randomBytes(300_000)];
    const smallId = (await upload(server, account, 'small', small)).json().response.id;
    expect(await idsOf(server)).toHaveLength(0);
    const largeId = (await upload(server, account, 'large', large)).json().response.id;
    expect(await idsOf(server)).toHaveLength(1);
    for (const [object, bytes] of [
      [smallId, small],
      [largeId, large],
    ]) {
      const path = await linkOf(server, account, object);
      expect((await server.send(path, { door: 'files' })).body.equals(bytes)).toBe(true);
      const range = await server.send(path, { door: 'files', headers: { Range: 'bytes=100-1099' } });
      expect(range.status).toBe(206);
      expect(range.body.equals(bytes.subarray(100, 1_100))).toBe(true);
    }
    await server.send('/v1/objects', {
      method: 'DELETE',
      credential: account.credential,
      body: JSON.stringify({ object: largeId }),
    });
    await expect.poll(() => idsOf(server)).toEqual([]);
  });

  it('refuses them at once while the bucket is down, and goes on with small files', async () => {
    const place = bucket.place();
    const proxy = await startFaultyHttp(place.endpoint);
    const server = await startOver({ ...place, endpoint: proxy.url });
    const account = await server.account();
    const bytes = randomBytes(100_000);
    const path = await linkOf(server, account, (await upload(server, account, 'a', bytes)).json().response.id);
    proxy.fault = () => ({ kind: 'status', status: 503 });
    const open = () => server.send(path, { door: 'files' });
    for (let at = 0; at < 8; at++) expect((await open()).status).toBe(503);
    const asked = () => proxy.seen.filter((line) => !line.startsWith('GET /private?')).length;
    const before = asked();
    for (let at = 0; at < 20; at++) expect((await open()).status).toBe(503);
    expect((await upload(server, account, 'b', bytes)).json()).toMatchObject({ status: 'error' });
    expect(asked()).toBe(before);
    expect((await server.send('/readyz')).json()).toMatchObject({ status: 'success', large_files: 'unavailable' });
    expect(String((await server.send('/metrics', { door: 'operator' })).body)).toContain('\ncubby_bucket_down 1\n');
    const small = await upload(server, account, 'small', randomBytes(1_000));
    expect(small.status).toBe(200);
    const smallPath = await linkOf(server, account, small.json().response.id);
    expect((await server.send(smallPath, { door: 'files' })).status).toBe(200);
    expect(JSON.stringify(server.log)).toContain('THE BUCKET DOES NOT WORK');

    proxy.fault = () => undefined;
    await expect.poll(async () => (await open()).status).toBe(200);
    expect((await server.send('/readyz')).json()).toMatchObject({ large_files: 'available' });
    expect(String((await server.send('/metrics', { door: 'operator' })).body)).toContain('\ncubby_bucket_down 0\n');
    expect(JSON.stringify(server.log)).not.toContain(place.secretAccessKey);
  });

  it('removes blobs that no row names after a day', async () => {
    const place = bucket.place();
    const server = await startOver(place);
    await upload(server, await server.account(), 'large', randomBytes(100_000));
    const [named] = await idsOf(server);
    const store = bucket.store(place);
    onTestFinished(() => store.close());
    const { clock } = bucket.gateway.server;
    const [old, young] = [newBlobId(), newBlobId()];
    clock.advance(-2 * 86_400_000);
    await store.put(old, chunks([randomBytes(20_000)]));
    clock.advance(2 * 86_400_000);
    await store.put(young, chunks([randomBytes(20_000)]));
    expect(await idsOf(server)).toHaveLength(3);
    await server.running.app.jobs.runNow();
    expect((await idsOf(server)).sort()).toEqual([named, young].sort());
  });

  it('needs no space on its own disk for them', async () => {
    const disk = { bavail: 300, bsize: 1024 * 1024, blocks: 1_000_000 };
    const server = await startOver(bucket.place(), {
      env: { CUBBY_MIN_FREE_BYTES: '299MiB' },
      readDisk: async () => disk,
    });
    const account = await server.account();
    expect((await upload(server, account, 'large', randomBytes(3_000_000))).status).toBe(200);
    disk.bavail = 299;
    await expect.poll(async () => (await upload(server, account, 'next', randomBytes(100_000))).status).toBe(507);
  });
});

describe('a start over a bucket', () => {
  it('refuses a wrong key pair, and a bucket that is not there', async () => {
    const place = bucket.place();
    await expect(startOver({ ...place, secretAccessKey: 'wrong' })).rejects.toThrow('403 SignatureDoesNotMatch');
    await expect(startOver({ ...place, bucket: 'nowhere' })).rejects.toThrow('NoSuchBucket');
  });

  it('refuses a new database beside blobs of another', async () => {
    const place = bucket.place();
    const server = await startOver(place);
    await upload(server, await server.account(), 'large', randomBytes(100_000));
    await server.stop();
    const other = startOver(place, { dataDir: await newDataDir() });
    await expect(other).rejects.toThrow('has no database, but objects are below s3://private/');
  });

  it.skipIf(isOnBucket)('refuses a data folder whose larger files are still in it', async () => {
    const dataDir = await newDataDir();
    const server = await startTestServer({ dataDir });
    await upload(server, await server.account(), 'large', randomBytes(100_000));
    await server.stop();
    await expect(startOver(bucket.place(), { dataDir })).rejects.toThrow('are in');
  });

  it('goes on without a bucket that does not answer, if there is a database', async () => {
    const place = bucket.place();
    const proxy = await startFaultyHttp(place.endpoint);
    const dataDir = await newDataDir();
    const location = { ...place, endpoint: proxy.url };
    const server = await startOver(location, { dataDir });
    const account = await server.account();
    await server.stop();
    proxy.fault = () => ({ kind: 'status', status: 503 });
    const again = await startOver(location, { dataDir });
    expect((await upload(again, account, 'small', randomBytes(1_000))).status).toBe(200);
  });
});
