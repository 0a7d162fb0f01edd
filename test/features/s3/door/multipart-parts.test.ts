import { createHash, randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checksumOf } from '#server/domain/checksums/algorithms.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import {
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from '#test/s3/small-client.ts';
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

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the parts of a file', () => {
  it('are read by their number, and their count is returned', async () => {
    const Key = newKey();
    const [first, second] = [randomBytes(5 * mebibyte), randomBytes(1000)];
    const UploadId = await begin(Key);
    await complete(Key, UploadId, [await put(Key, UploadId, 1, first), await put(Key, UploadId, 2, second)]);
    expect(sha256(await bytesOf(Key, { PartNumber: 1 }))).toBe(sha256(first));
    expect(sha256(await bytesOf(Key, { PartNumber: 2 }))).toBe(sha256(second));
    expect(await gateway.client.send(new HeadObjectCommand({ Bucket, Key, PartNumber: 2 }))).toMatchObject({
      PartsCount: 2,
      ContentLength: 1000,
      ContentRange: `bytes ${first.length}-${first.length + 999}/${first.length + 1000}`,
    });
    await expect(gateway.client.send(new GetObjectCommand({ Bucket, Key, PartNumber: 3 }))).rejects.toEqual(
      refused('InvalidPartNumber', 416),
    );
    await expect(
      gateway.client.send(new GetObjectCommand({ Bucket, Key, PartNumber: 1, Range: 'bytes=0-1' })),
    ).rejects.toEqual(refused('InvalidRequest'));
  });

  it('are the whole file when it was uploaded in one request', async () => {
    const Key = newKey();
    await gateway.client.send(new PutObjectCommand({ Bucket, Key, Body: 'whole' }));
    expect((await bytesOf(Key, { PartNumber: 1 })).toString()).toBe('whole');
    await expect(bytesOf(Key, { PartNumber: 2 })).rejects.toEqual(refused('InvalidPartNumber', 416));
    expect(
      await gateway.client.send(
        new GetObjectAttributesCommand({ Bucket, Key, ObjectAttributes: ['ObjectParts', 'ObjectSize'] }),
      ),
    ).toMatchObject({ ObjectSize: 5 });
    await expect(
      gateway.client.send(new GetObjectAttributesCommand({ Bucket, Key, ObjectAttributes: ['Colour' as never] })),
    ).rejects.toEqual(refused('InvalidArgument'));
  });
});

describe('UploadPartCopy', () => {
  it('takes a file, or a range of it, as a part', async () => {
    const [source, Key] = [newKey(), newKey()];
    const bytes = randomBytes(6 * mebibyte);
    await gateway.client.send(new PutObjectCommand({ Bucket: 'public', Key: source, Body: bytes }));
    const UploadId = await begin(Key, { ChecksumAlgorithm: 'SHA1' });
    const copy = (PartNumber: number, more: object = {}) =>
      gateway.client.send(
        new UploadPartCopyCommand({
          Bucket,
          Key,
          UploadId,
          PartNumber,
          CopySource: `public/${source.split('/').map(encodeURIComponent).join('/')}`,
          ...more,
        }),
      );
    const first = (await copy(1)).CopyPartResult!;
    const second = (await copy(2, { CopySourceRange: 'bytes=10-19' })).CopyPartResult!;
    expect(first).toMatchObject({
      ETag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      ChecksumSHA1: checksumOf('SHA1', bytes),
    });
    await complete(Key, UploadId, [
      { PartNumber: 1, ETag: first.ETag },
      { PartNumber: 2, ETag: second.ETag },
    ]);
    expect(sha256(await bytesOf(Key))).toBe(sha256(Buffer.concat([bytes, bytes.subarray(10, 20)])));
  });

  it('refuses a missing source, conditions that do not hold, and malformed ranges', async () => {
    const [source, Key] = [newKey(), newKey()];
    await gateway.client.send(new PutObjectCommand({ Bucket, Key: source, Body: 'bytes' }));
    const UploadId = await begin(Key);
    const copy = (from: string, more: object = {}) =>
      gateway.client.send(
        new UploadPartCopyCommand({
          Bucket,
          Key,
          UploadId,
          PartNumber: 1,
          CopySource: `private/${encodeURIComponent(from)}`,
          ...more,
        }),
      );
    await expect(copy('missing')).rejects.toEqual(refused('NoSuchKey', 404));
    await expect(copy(source, { CopySourceIfMatch: '"other"' })).rejects.toEqual(refused('PreconditionFailed', 412));
    for (const CopySourceRange of [
      '0-2',
      'bytes=0',
      'bytes=0-5',
      'bytes=3-2',
      'bytes=-2',
      'bytes=0-1,3-4',
      'bytes=a-b',
    ])
      await expect(copy(source, { CopySourceRange })).rejects.toEqual(refused('InvalidArgument'));
    expect((await gateway.client.send(new ListPartsCommand({ Bucket, Key, UploadId }))).Parts).toBeUndefined();
  });
});
