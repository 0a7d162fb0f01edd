import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import type { WatchedDisk } from '#server/stores/filesystem/watched-disk.ts';
import { cubbyHere, temporaryFolder } from '#test/cli/cubby.ts';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '#test/s3/small-client.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { postForm, sign } from '#test/s3/signed-request.ts';
import { needPackages } from '#test/support/need-programs.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { formWith, someBytes, upload } from '#test/support/files.ts';
import { shareFile } from '#test/support/shares.ts';

/** The operations that work below the minimum of free space, as in docs/operating/trouble.md. */

const mib = 1024 * 1024;
const floorBytes = 16 * mib;

let gateway: Gateway;
let freeBytes = 1000 * mib;
/** Bytes in the folder of blobs when `freeBytes` was set. Later bytes take space, as on a real disk. */
let takenBefore = 0;
const chunks = chunking(() => gateway.server);
const disk = () => gateway.server.running.app.stores.diskSpace as WatchedDisk;

async function set(bytes: number): Promise<void> {
  freeBytes = bytes;
  takenBefore = await takenBytes();
  await disk().refresh();
}

async function takenBytes(): Promise<number> {
  if (!gateway) return 0;
  const entries = await readdir(join(gateway.server.dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

beforeAll(async () => {
  const readDisk = async () => ({
    bavail: Math.floor((freeBytes - (await takenBytes()) + takenBefore) / 4096),
    bsize: 4096,
    blocks: 1000 * mib,
  });
  gateway = await startGateway({ env: { CUBBY_MIN_FREE_BYTES: String(floorBytes) }, readDisk });
});
beforeEach(() => set(1000 * mib));
afterAll(() => gateway.stop());

/**
 * Sends a request whose body waits for `100 Continue`. Resolves with the response, and whether the body was requested.
 */
async function expecting(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string; readonly wasAskedFor: boolean }> {
  const outgoing = request(url, { method, headers: { ...headers, Expect: '100-continue' }, agent: false });
  let wasAskedFor = false;
  outgoing.on('continue', () => (wasAskedFor = true));
  outgoing.flushHeaders();
  const [answer] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  outgoing.destroy();
  return { status: answer.statusCode, text, wasAskedFor };
}

describe('below the minimum of free space', () => {
  it('uploads are rejected before a byte is requested, over REST and S3', async () => {
    const { account, server } = gateway;
    const { base, s3 } = server.running.urls;
    const handle = await chunks.open(account);
    await set(floorBytes - 1);
    const length = { 'Content-Length': String(mib) };
    const rest = { ...length, Authorization: account.credential };
    for (const [url, method, headers] of [
      [`${base}/v1/objects?name=a`, 'POST', { ...rest, 'Content-Type': 'multipart/form-data; boundary=xxx' }],
      [`${base}/v1/objects/chunked?upload=${handle}&part=1`, 'PUT', rest],
    ] as const) {
      const { status, text, wasAskedFor } = await expecting(url, method, headers);
      expect({ status, code: JSON.parse(text).code, wasAskedFor }).toEqual({
        status: 507,
        code: 'INSUFFICIENT_STORAGE',
        wasAskedFor: false,
      });
    }
    const { headers } = sign(gateway, {
      method: 'PUT',
      path: '/public/a.txt',
      payload: 'unsigned',
      headers: { 'content-length': String(mib) },
    });
    const overS3 = await expecting(`${s3}/public/a.txt`, 'PUT', Object.fromEntries(headers));
    expect(overS3).toMatchObject({
      status: 507,
      wasAskedFor: false,
      text: expect.stringContaining('<Code>InsufficientStorage</Code>'),
    });
  });

  it('an upload over S3 is not retried by the AWS SDK', async () => {
    needPackages('@aws-sdk/client-s3');
    const sdk = await import('@aws-sdk/client-s3');
    const { url, accessKeyId, secretAccessKey } = gateway;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new sdk.S3Client({ endpoint: url, region: 'auto', forcePathStyle: true, credentials });
    onTestFinished(() => client.destroy());
    await set(0);
    await expect(
      client.send(new sdk.PutObjectCommand({ Bucket: 'public', Key: 'a.txt', Body: Buffer.alloc(1000) })),
    ).rejects.toMatchObject({ name: 'InsufficientStorage', $metadata: { httpStatusCode: 507, attempts: 1 } });
  });

  it('uploads over S3 get InsufficientStorage', async () => {
    const { client } = gateway;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'public', Key: 'big.bin' }));
    await set(0);
    const refused = {
      name: 'InsufficientStorage',
      $metadata: { httpStatusCode: 507 },
    };
    await expect(
      client.send(new PutObjectCommand({ Bucket: 'public', Key: 'a.txt', Body: Buffer.alloc(1000) })),
    ).rejects.toMatchObject(refused);
    await expect(
      client.send(
        new UploadPartCommand({ Bucket: 'public', Key: 'big.bin', UploadId, PartNumber: 1, Body: Buffer.alloc(1000) }),
      ),
    ).rejects.toMatchObject(refused);
    await expect(
      client.send(new CreateMultipartUploadCommand({ Bucket: 'public', Key: 'other.bin' })),
    ).rejects.toMatchObject(refused);
    const fields = postForm(
      gateway,
      {
        expiration: new Date(Date.now() + 60_000).toISOString(),
        conditions: [{ bucket: 'public' }, { key: 'form.txt' }],
      },
      { key: 'form.txt' },
    );
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([Buffer.alloc(1000)]));
    const posted = await fetch(`${gateway.url}/public`, { method: 'POST', body: form });
    expect({ status: posted.status, text: await posted.text() }).toEqual({
      status: 507,
      text: expect.stringContaining('<Code>InsufficientStorage</Code>'),
    });
  });

  it('reading, deleting, revoking, completing, aborting and listing still work', async () => {
    const { account, client, server } = gateway;
    const { credential } = account;
    const { id } = (await upload(server, account, { query: { name: 'kept' }, bytes: someBytes(50_000) })).json()
      .response;
    const { id: second } = (await upload(server, account, { query: { name: 'second' } })).json().response;
    const [whole, dropped] = [await chunks.open(account), await chunks.open(account, { name: 'dropped' })];
    await chunks.put(account, whole, 1, someBytes(partBytes));
    await chunks.put(account, dropped, 1, someBytes(1000));
    const share = await shareFile(server, account, id);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'public', Key: 'multi.bin' }));
    const { ETag } = await client.send(
      new UploadPartCommand({ Bucket: 'public', Key: 'multi.bin', UploadId, PartNumber: 1, Body: someBytes(1000) }),
    );
    await set(0);

    for (const path of [
      '/v1/objects',
      `/v1/objects/info?object=${id}`,
      '/v1/account/stats',
      '/v1/account/activity',
      `/v1/objects/chunked?upload=${whole}`,
      '/v1/shares',
      '/v1/account/keys',
      '/livez',
    ]) {
      expect((await server.send(path, { credential })).status, path).toBe(200);
    }
    expect((await server.send(`/${id.slice('pub/'.length)}`, { door: 'public' })).status).toBe(200);
    expect((await chunks.complete(account, whole)).status).toBe(200);
    expect((await chunks.abort(account, dropped)).status).toBe(200);
    expect(
      (
        await server.send('/v1/objects', {
          method: 'PATCH',
          credential,
          body: JSON.stringify({ object: id, cache_control: 'immutable' }),
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await server.send('/v1/objects/copy', {
          method: 'POST',
          credential,
          body: JSON.stringify({ source: id, destination: { name: 'copy' } }),
        })
      ).status,
    ).toBe(200);
    expect(
      (await server.send('/v1/shares', { method: 'DELETE', credential, body: JSON.stringify({ id: share.id }) }))
        .status,
    ).toBe(200);
    expect(
      (await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object: second }) }))
        .status,
    ).toBe(200);
    await client.send(
      new CompleteMultipartUploadCommand({
        Bucket: 'public',
        Key: 'multi.bin',
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      }),
    );
    await client.send(new CopyObjectCommand({ Bucket: 'public', Key: 'copied.bin', CopySource: 'public/multi.bin' }));
    await (
      await client.send(new GetObjectCommand({ Bucket: 'public', Key: 'multi.bin' }))
    ).Body!.transformToByteArray();
    await client.send(new ListObjectsV2Command({ Bucket: 'public' }));
    await client.send(new DeleteObjectCommand({ Bucket: 'public', Key: 'multi.bin' }));
    await server.key(account, { scopes: ['blob:read'] });
  });

  it('/readyz, the metrics and the log report when the shortage begins and ends', async () => {
    const { server } = gateway;
    await set(floorBytes / 2);
    const ready = await server.send('/readyz');
    expect({ status: ready.status, body: ready.json() }).toEqual({
      status: 200,
      body: { status: 'success', storage: 'full', large_files: 'available' },
    });
    const metrics = (await server.send('/metrics', { door: 'operator' })).body.toString();
    for (const line of [
      'cubby_disk_full 1',
      `cubby_disk_free_bytes ${floorBytes / 2}`,
      `cubby_disk_min_free_bytes ${floorBytes}`,
      'cubby_disk_reserve_bytes 4194304',
    ])
      expect(metrics.split('\n')).toContain(line);
    expect(server.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: expect.stringContaining('THE DISK IS FULL'),
        free_bytes: floorBytes / 2,
        min_free_bytes: floorBytes,
      }),
    );
    await set(1000 * mib);
    expect((await server.send('/readyz')).json().storage).toBe('available');
    expect(server.log).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'there is room on the disk again' }),
    );
    expect((await upload(server, gateway.account)).status).toBe(200);
  });

  it('a file larger than the free space is rejected by its announced length, a smaller one is accepted', async () => {
    const { account, server } = gateway;
    await set(floorBytes + mib);
    const large = await upload(server, account, { bytes: someBytes(2 * mib) });
    expect({ status: large.status, message: large.json().message }).toEqual({
      status: 507,
      message: expect.stringMatching(/^The disk of the server has no room for these 209\d+ bytes\./),
    });
    expect((await upload(server, account, { bytes: someBytes(mib / 2) })).status).toBe(200);
  });

  it('a file of unknown length is cut off when it would use the minimum, and leaves nothing behind', async () => {
    const { account, server } = gateway;
    const stats = async () => (await server.send('/v1/account/stats', { credential: account.credential })).json();
    const before = await stats();
    await set(floorBytes + 3 * mib);
    const bytes = Buffer.from(await new Response(formWith(someBytes(8 * mib))).arrayBuffer());
    const type = new Response(formWith(someBytes(1))).headers.get('content-type')!;
    const boundary = /boundary=(.*)$/.exec(type)![1]!;
    const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(head);
        controller.enqueue(bytes);
        controller.enqueue(Buffer.from(`\r\n--${boundary}--\r\n`));
        controller.close();
      },
    });
    const answer = await server.send('/v1/objects?name=flowing', {
      method: 'POST',
      credential: account.credential,
      headers: { 'Content-Type': type },
      body,
    });
    expect({ status: answer.status, code: answer.json().code }).toEqual({ status: 507, code: 'INSUFFICIENT_STORAGE' });
    await expect.poll(stats).toEqual(before);
  });

  it('an import from the command line reports the shortage', async () => {
    await set(1000 * mib);
    const { account, server } = gateway;
    const folder = await temporaryFolder();
    await writeFile(`${folder}/old.bin`, someBytes(100_000));
    const outcome = await cubbyHere(server.dataDir, { CUBBY_MIN_FREE_BYTES: '8000TiB' })(
      'legacy',
      'import',
      '--account',
      account.id,
      folder,
    );
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringContaining('The disk of the server is full.') });
  });
});
