import { createHash, randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checksumOf } from '#server/domain/checksums/algorithms.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
} from '#test/s3/small-client.ts';
import { eventually } from '#test/support/eventually.ts';
import { multipartUploads } from './multipart-uploads.ts';

const mebibyte = 1_048_576;
const Bucket = 'private';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const { begin, put, complete } = multipartUploads(() => gateway);

let count = 0;
const newKey = () => `multipart/${++count} ä+b.bin`;

const refused = (code: string, status = 400) =>
  expect.objectContaining({ name: code, $metadata: expect.objectContaining({ httpStatusCode: status }) });

const bytesOf = async (Key: string, more: object = {}) =>
  Buffer.from(
    await (await gateway.client.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body!.transformToByteArray(),
  );
const open = async () =>
  (await gateway.server.send('/v1/objects/chunked/open', { credential: gateway.account.credential })).json().response
    .uploads;
async function blobIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { blobId } of gateway.server.running.app.stores.blobs.ids()) ids.push(blobId);
  return ids.sort();
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a multipart upload', () => {
  it('makes a file of its parts, whose REST info has the same SHA-256', async () => {
    const Key = newKey();
    const [first, second] = [randomBytes(5 * mebibyte), randomBytes(300_000)];
    const UploadId = await begin(Key, {
      ContentType: 'text/x-own',
      Metadata: { colour: 'blue' },
      CacheControl: 'max-age=60',
    });
    // The parts come out of order, and one of them twice.
    await put(Key, UploadId, 7, randomBytes(1000));
    const parts = [await put(Key, UploadId, 3, first), await put(Key, UploadId, 7, second)];
    const done = await complete(Key, UploadId, parts);
    const md5s = Buffer.concat([first, second].map((bytes) => createHash('md5').update(bytes).digest()));
    expect(done).toMatchObject({
      Bucket,
      Key,
      ETag: `"${createHash('md5').update(md5s).digest('hex')}-2"`,
      Location: expect.stringContaining('/private/multipart/'),
    });
    expect(sha256(await bytesOf(Key))).toBe(sha256(Buffer.concat([first, second])));
    expect(await gateway.client.send(new HeadObjectCommand({ Bucket, Key }))).toMatchObject({
      ContentType: 'text/x-own',
      Metadata: { colour: 'blue' },
      CacheControl: 'max-age=60',
      ETag: done.ETag,
    });
    await eventually(async () =>
      expect(await gateway.info('private', Key)).toMatchObject({
        sha256: sha256(Buffer.concat([first, second])),
        size: first.length + second.length,
      }),
    );
    // A repeated completion gets the same response.
    expect(await complete(Key, UploadId, parts)).toMatchObject({ ETag: done.ETag });
    expect(await open()).toEqual([]);
  });

  it('is unknown once its completed file is deleted', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    const parts = [await put(Key, UploadId, 1, Buffer.from('one'))];
    await complete(Key, UploadId, parts);
    await gateway.client.send(new PutObjectCommand({ Bucket, Key, Body: 'another' }));
    await complete(Key, UploadId, parts);
    expect((await bytesOf(Key)).toString()).toBe('another');
    await gateway.client.send(new DeleteObjectCommand({ Bucket, Key }));
    await expect(complete(Key, UploadId, parts)).rejects.toEqual(refused('NoSuchUpload', 404));
  });

  it('leaves out the parts that its completion does not name', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    const before = await blobIds();
    await put(Key, UploadId, 2, randomBytes(200_000));
    const kept = await put(Key, UploadId, 1, Buffer.from('kept'));
    expect(await blobIds()).toHaveLength(before.length + 1);
    await complete(Key, UploadId, [kept]);
    expect((await bytesOf(Key)).toString()).toBe('kept');
    await eventually(async () => expect(await blobIds()).toEqual(before));
  });

  it('can have one empty part', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    await complete(Key, UploadId, [await put(Key, UploadId, 1, Buffer.alloc(0))]);
    expect(await bytesOf(Key)).toHaveLength(0);
  });

  it('refuses a wrong completion and stays open', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    const [one, two] = [
      await put(Key, UploadId, 1, Buffer.from('one')),
      await put(Key, UploadId, 2, Buffer.from('two')),
    ];
    await expect(complete(Key, UploadId, [two, one])).rejects.toEqual(refused('InvalidPartOrder'));
    await expect(complete(Key, UploadId, [one, one])).rejects.toEqual(refused('InvalidPartOrder'));
    await expect(complete(Key, UploadId, [{ ...one, ETag: two.ETag }])).rejects.toEqual(refused('InvalidPart'));
    await expect(complete(Key, UploadId, [one, { ...two, PartNumber: 3 }])).rejects.toEqual(refused('InvalidPart'));
    await expect(complete(Key, UploadId, [one, two])).rejects.toEqual(refused('EntityTooSmall'));
    await expect(complete(Key, UploadId, [])).rejects.toEqual(refused('MalformedXML'));
    await complete(Key, UploadId, [one]);
    expect((await bytesOf(Key)).toString()).toBe('one');
  });

  it('checks the conditions of its completion', async () => {
    const Key = newKey();
    await gateway.client.send(new PutObjectCommand({ Bucket, Key, Body: 'there' }));
    const UploadId = await begin(Key);
    const parts = [await put(Key, UploadId, 1, Buffer.from('new'))];
    await expect(complete(Key, UploadId, parts, { IfNoneMatch: '*' })).rejects.toEqual(
      refused('PreconditionFailed', 412),
    );
    await expect(complete(Key, UploadId, parts, { IfMatch: '"other"' })).rejects.toEqual(
      refused('PreconditionFailed', 412),
    );
    await complete(Key, UploadId, parts, { IfMatch: `"${createHash('md5').update('there').digest('hex')}"` });
    expect((await bytesOf(Key)).toString()).toBe('new');
  });

  it('answers NoSuchUpload for an upload of another file or of REST, and for an aborted or unknown one', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    const rest = (
      await gateway.server.send('/v1/objects/chunked?name=a', {
        method: 'POST',
        credential: gateway.account.credential,
      })
    ).json().response.upload;
    for (const [key, id] of [
      [`${Key}2`, UploadId],
      [Key, rest],
      [Key, 'unknown'],
      [Key, `${UploadId}x`],
    ] as const) {
      await expect(put(key, id, 1, Buffer.from('x'))).rejects.toEqual(refused('NoSuchUpload', 404));
      await expect(
        gateway.client.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: id })),
      ).rejects.toEqual(refused('NoSuchUpload', 404));
    }
    await gateway.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    await expect(put(Key, UploadId, 1, Buffer.from('x'))).rejects.toEqual(refused('NoSuchUpload', 404));
    await expect(gateway.client.send(new ListPartsCommand({ Bucket, Key, UploadId }))).rejects.toEqual(
      refused('NoSuchUpload', 404),
    );
    await gateway.server.send('/v1/objects/chunked', {
      method: 'DELETE',
      credential: gateway.account.credential,
      body: JSON.stringify({ upload: rest }),
    });
  });

  it('refuses part numbers below 1 and above 10,000', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    for (const number of [0, 10_001])
      await expect(put(Key, UploadId, number, Buffer.from('x'))).rejects.toEqual(refused('InvalidArgument'));
    await put(Key, UploadId, 10_000, Buffer.from('x'));
    await gateway.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  });
});

describe('a multipart upload and REST', () => {
  it('shows among the open uploads, with a handle for status, completion and abortion, but not for parts', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    await put(Key, UploadId, 1, Buffer.from('over S3'));
    const [{ upload, id }] = await open();
    expect(id).toBe(`prv/${gateway.account.id}/${Key}`);
    const { credential } = gateway.account;
    const query = new URLSearchParams({ upload });
    const status = await gateway.server.send(`/v1/objects/chunked?${query}`, { credential });
    expect(status.json().response).toMatchObject({ id, parts: [{ part: 1, size: 7 }], next_part: 2, size_so_far: 7 });
    const sent = await gateway.server.send(`/v1/objects/chunked?${query}&part=2`, {
      method: 'PUT',
      credential,
      body: 'x',
    });
    expect([sent.status, sent.json().code]).toEqual([400, 'INVALID_UPLOAD_TOKEN']);
    const done = await gateway.server.send('/v1/objects/chunked', {
      method: 'PATCH',
      credential,
      body: JSON.stringify({ upload }),
    });
    expect(done.json().response).toMatchObject({ id, size: 7, parts: 1, sha256: sha256(Buffer.from('over S3')) });
    expect((await bytesOf(Key)).toString()).toBe('over S3');
  });

  it('has a place of its own beside the 32 open uploads of REST, and all are listed', async () => {
    const other = await gateway.other();
    const ids = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, at) =>
          (await other.client.send(new CreateMultipartUploadCommand({ Bucket, Key: `k${at}` }))).UploadId!,
      ),
    );
    const rest = (path: string, method = 'GET') =>
      other.server.send(path, { method, credential: other.account.credential });
    for (let at = 0; at < 32; at++) expect((await rest(`/v1/objects/chunked?name=a${at}`, 'POST')).status).toBe(200);
    const refusal = await rest('/v1/objects/chunked?name=more', 'POST');
    expect([refusal.status, refusal.json().code]).toEqual([429, 'TOO_MANY_OPEN_UPLOADS']);
    expect(ids).toHaveLength(40);
    const open = (await rest('/v1/objects/chunked/open')).json().response.uploads;
    expect(open).toHaveLength(72);
    expect(open.map(({ upload }: { upload: string }) => upload)).toEqual(expect.arrayContaining(ids));
  });
});

describe('lists of uploads and parts', () => {
  it('list parts page by page', async () => {
    const Key = newKey();
    const UploadId = await begin(Key, { ChecksumAlgorithm: 'CRC32C' });
    for (const number of [2, 5, 9])
      await put(Key, UploadId, number, Buffer.from(`part ${number}`), { ChecksumAlgorithm: 'CRC32C' });
    const page = await gateway.client.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 2 }));
    expect(page).toMatchObject({
      IsTruncated: true,
      NextPartNumberMarker: '5',
      ChecksumAlgorithm: 'CRC32C',
      ChecksumType: 'COMPOSITE',
      StorageClass: 'STANDARD',
    });
    expect(page.Parts).toMatchObject([
      { PartNumber: 2, Size: 6, ChecksumCRC32C: checksumOf('CRC32C', Buffer.from('part 2')) },
      { PartNumber: 5 },
    ]);
    expect(Math.abs(page.Parts![0]!.LastModified!.getTime() - Date.now())).toBeLessThan(60_000);
    const rest = await gateway.client.send(new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: '5' }));
    expect([rest.IsTruncated, rest.Parts!.map(({ PartNumber }) => PartNumber)]).toEqual([false, [9]]);
    await gateway.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  });

  it('list uploads by key, with folders and pages', async () => {
    const other = await gateway.other();
    const keys = ['a/1', 'a/2', 'b', 'b', 'c d+e'];
    for (const Key of keys) await other.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const list = (more: object) => other.client.send(new ListMultipartUploadsCommand({ Bucket, ...more }));
    expect((await list({})).Uploads!.map(({ Key }) => Key)).toEqual(keys);
    expect(await list({ Delimiter: '/' })).toMatchObject({
      CommonPrefixes: [{ Prefix: 'a/' }],
      Uploads: [{ Key: 'b' }, { Key: 'b' }, { Key: 'c d+e' }],
      IsTruncated: false,
    });
    expect((await list({ Prefix: 'a/' })).Uploads).toHaveLength(2);
    const seen: unknown[] = [];
    for (let marker: object = {}; ;) {
      const page = await list({ MaxUploads: 1, EncodingType: 'url', ...marker });
      seen.push(...page.Uploads!.map(({ Key, UploadId }) => `${Key} ${UploadId}`));
      if (!page.IsTruncated) break;
      marker = { KeyMarker: decodeURIComponent(page.NextKeyMarker!), UploadIdMarker: page.NextUploadIdMarker };
    }
    expect(new Set(seen).size).toBe(keys.length);
    expect((await other.client.send(new ListMultipartUploadsCommand({ Bucket: 'public' }))).Uploads).toBeUndefined();
  });
});
