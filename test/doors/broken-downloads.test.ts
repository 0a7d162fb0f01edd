import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { exchange, textOf } from '#test/s3/exchange.ts';
import { isOnBucket } from '#test/support/chosen-store.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { presign } from '#test/s3/signed-request.ts';
import { someBytes } from '#test/support/files.ts';

/*
 * Bytes that are lost after the status line was sent. The client must see a broken connection, because it would take a
 * short body for the whole file. The operator must see a fault.
 */

/** Large enough to be stored as a blob on the disk. */
const blob = someBytes(300_000);
const keptBytes = 100_000;
/** S3's smallest first part. */
const part = someBytes(5 * 1_048_576);

let gateway: Gateway;
/** The blobs that were written, in order. */
const blobIds: string[] = [];
/** Called once with the id of the opened blob, before any byte of it is read. */
let onOpen: ((blobId: string) => Promise<unknown>) | undefined;
let deleteBlob: (blobId: string) => Promise<void>;

beforeAll(async () => {
  gateway = await startGateway({
    blobs: (real) => {
      deleteBlob = (blobId) => real.delete(blobId);
      return {
        put: (blobId, ...rest) => {
          blobIds.push(blobId);
          return real.put(blobId, ...rest);
        },
        async open(blobId, range) {
          const stream = await real.open(blobId, range);
          const happens = onOpen;
          onOpen = undefined;
          await happens?.(blobId);
          return stream;
        },
        delete: deleteBlob,
        ids: () => real.ids(),
      };
    },
  });
});

afterAll(() => gateway.stop());

beforeEach(() => void (blobIds.length = 0));

/** The doors that send a private file, with a function that returns its address there. */
const doors: ReadonlyArray<readonly [name: string, address: (key: string) => Promise<string>]> = [
  ['S3', async (key) => gateway.url + presign(gateway, { path: `/private/${key}` })],
  [
    'the files host',
    async (key) => {
      const { server, account } = gateway;
      const query = new URLSearchParams({ object: `prv/${account.id}/${key}`, redirect: 'false' });
      const answer = await server.send(`/v1/objects/download?${query}`, { credential: account.credential });
      return server.running.urls.files + new URL(answer.json().response.url).pathname;
    },
  ],
];

async function putWhole(key: string): Promise<void> {
  expect((await exchange(gateway, { method: 'PUT', path: `/private/${key}`, body: blob })).status).toBe(200);
}

/** Stores a file of two parts, each in its own blob. */
async function putInParts(key: string): Promise<void> {
  const path = `/private/${key}`;
  const begun = await exchange(gateway, { method: 'POST', path, query: { uploads: '' } });
  const uploadId = textOf(begun.text, 'UploadId')!;
  const etags: string[] = [];
  for (const [at, body] of [part, blob].entries()) {
    const query = { partNumber: String(at + 1), uploadId };
    etags.push((await exchange(gateway, { method: 'PUT', path, query, body })).headers['etag']!);
  }
  const listed = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
  expect((await exchange(gateway, { method: 'POST', path, query: { uploadId }, body })).status).toBe(200);
}

/** Truncates the file of a blob, as a failing disk or a mistaken operator would. */
async function truncateBlob(blobId: string): Promise<void> {
  const folder = join(gateway.server.dataDir, 'blobs');
  const names = await readdir(folder, { recursive: true });
  await truncate(
    join(
      folder,
      names.find((name) => name.endsWith(blobId))!,
    ),
    keptBytes,
  );
}

/** Reads a response to its end. Returns it with the lines that were logged meanwhile. */
async function download(address: string) {
  const { server } = gateway;
  const from = server.log.length;
  const answer = await fetch(address);
  const reader = answer.body!.getReader();
  const received: Uint8Array[] = [];
  let error: unknown;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) received.push(next.value);
  } catch (thrown) {
    error = thrown;
  }
  const logged = () => server.log.slice(from);
  await expect.poll(() => logged().filter(({ message }) => message === 'request')).toHaveLength(1);
  return {
    status: answer.status,
    announcedBytes: Number(answer.headers.get('content-length')),
    requestId: answer.headers.get('x-request-id') ?? answer.headers.get('x-amz-request-id'),
    bytes: Buffer.concat(received),
    error,
    faults: logged().filter(({ message }) => message === 'fault'),
    requests: logged().filter(({ message }) => message === 'request'),
  };
}

describe.each(doors)('%s, when bytes are lost after the status line', (_name, addressOf) => {
  // An object of a bucket cannot be truncated. test/stores/bucket/faults.programs.test.ts cuts its bytes off on their
  // way.
  test.skipIf(isOnBucket)('cuts the connection and logs a fault when a blob is truncated', async () => {
    await putWhole('truncated');
    const address = await addressOf('truncated');
    onOpen = truncateBlob;
    const { status, announcedBytes, requestId, bytes, error, faults, requests } = await download(address);
    expect([status, announcedBytes]).toEqual([200, blob.length]);
    expect(error).toBeInstanceOf(Error);
    expect(bytes.length).toBeLessThanOrEqual(keptBytes);
    expect(bytes.equals(blob.subarray(0, bytes.length))).toBe(true);
    expect(faults).toEqual([
      expect.objectContaining({
        request_id: requestId,
        error: expect.objectContaining({ message: `Only ${keptBytes} of the announced ${blob.length} bytes` }),
      }),
    ]);
    expect(requests).toEqual([expect.objectContaining({ request_id: requestId, status: 200, outcome: 'aborted' })]);
  });

  test('cuts the connection and logs a fault when a later blob is removed', async () => {
    await putInParts('removed');
    const address = await addressOf('removed');
    const [, second] = blobIds as [string, string];
    onOpen = () => deleteBlob(second);
    const { status, announcedBytes, requestId, bytes, error, faults } = await download(address);
    expect([status, announcedBytes]).toEqual([200, part.length + blob.length]);
    expect(error).toBeInstanceOf(Error);
    expect(bytes.length).toBeLessThanOrEqual(part.length);
    expect(bytes.equals(part.subarray(0, bytes.length))).toBe(true);
    expect(faults).toEqual([
      expect.objectContaining({
        request_id: requestId,
        error: expect.objectContaining({ message: expect.stringContaining(second) }),
      }),
    ]);
  });

  test('sends the whole file and logs no fault when no bytes are lost', async () => {
    await putWhole('whole');
    const { bytes, error, faults } = await download(await addressOf('whole'));
    expect([bytes.equals(blob), error, faults]).toEqual([true, undefined, []]);
  });
});
