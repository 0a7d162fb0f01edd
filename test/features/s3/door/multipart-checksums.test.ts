import { createHash, randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checksumOf, type ChecksumAlgorithm } from '#server/domain/checksums/algorithms.ts';
import { exchange, textOf } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import {
  CopyObjectCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
} from '#test/s3/small-client.ts';
import { multipartUploads } from './multipart-uploads.ts';
import { encodeKey } from '#test/s3/signed-request.ts';

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

describe('checksums of a multipart upload', () => {
  const [first, second] = [randomBytes(5 * mebibyte), randomBytes(70_001)];
  const whole = Buffer.concat([first, second]);
  const composite = (algorithm: ChecksumAlgorithm) => {
    const sums = [first, second].map((bytes) => Buffer.from(checksumOf(algorithm, bytes), 'base64'));
    return `${checksumOf(algorithm, Buffer.concat(sums))}-2`;
  };

  it.each([
    ['CRC32', 'COMPOSITE'],
    ['CRC32', 'FULL_OBJECT'],
    ['CRC32C', 'COMPOSITE'],
    ['CRC32C', 'FULL_OBJECT'],
    ['CRC64NVME', 'FULL_OBJECT'],
    ['SHA1', 'COMPOSITE'],
    ['SHA256', 'COMPOSITE'],
  ] as const)('%s %s is kept, returned on request, and shown with its parts', async (algorithm, type) => {
    const Key = newKey();
    const name = `Checksum${algorithm}`;
    const UploadId = await begin(Key, { ChecksumAlgorithm: algorithm, ChecksumType: type });
    const parts = [
      await put(Key, UploadId, 1, first, { ChecksumAlgorithm: algorithm }),
      await put(Key, UploadId, 2, second, { ChecksumAlgorithm: algorithm }),
    ];
    const value = type === 'COMPOSITE' ? composite(algorithm) : checksumOf(algorithm, whole);
    await expect(
      complete(Key, UploadId, parts, { [name]: checksumOf(algorithm, Buffer.from('other')) }),
    ).rejects.toEqual(refused('BadDigest'));
    await expect(complete(Key, UploadId, parts, { [name]: 'bad' })).rejects.toEqual(refused('InvalidRequest'));
    expect(await complete(Key, UploadId, parts, { [name]: value })).toMatchObject({
      [name]: value,
      ChecksumType: type,
    });
    expect(await gateway.client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }))).toMatchObject({
      [name]: value,
      ChecksumType: type,
    });
    expect(await gateway.client.send(new HeadObjectCommand({ Bucket, Key }))).not.toHaveProperty(name);
    const ofPart = await gateway.client.send(
      new GetObjectCommand({ Bucket, Key, PartNumber: 2, ChecksumMode: 'ENABLED' }),
    );
    expect(ofPart).toMatchObject({ [name]: checksumOf(algorithm, second), PartsCount: 2 });
    // The client checks it while it reads.
    expect(sha256(await ofPart.Body!.transformToByteArray())).toBe(sha256(second));
    expect(sha256(await bytesOf(Key, { ChecksumMode: 'ENABLED' }))).toBe(sha256(whole));
    const found = await gateway.client.send(
      new GetObjectAttributesCommand({
        Bucket,
        Key,
        ObjectAttributes: ['ETag', 'Checksum', 'ObjectParts', 'ObjectSize', 'StorageClass'],
        MaxParts: 1,
      }),
    );
    expect(found).toMatchObject({
      ObjectSize: whole.length,
      StorageClass: 'STANDARD',
      ETag: expect.stringMatching(/^[0-9a-f]{32}-2$/),
      Checksum: { [name]: value, ChecksumType: type },
    });
    // A copy with another algorithm must not show the checksums of the parts.
    const other = algorithm === 'CRC32' ? 'CRC32C' : 'CRC32';
    await gateway.client.send(
      new CopyObjectCommand({
        Bucket,
        Key: `${Key}-copy`,
        CopySource: `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`,
        ChecksumAlgorithm: other,
      }),
    );
    const copied = await gateway.client.send(
      new GetObjectAttributesCommand({ Bucket, Key: `${Key}-copy`, ObjectAttributes: ['Checksum', 'ObjectParts'] }),
    );
    expect(copied.Checksum).toMatchObject({ [`Checksum${other}`]: checksumOf(other, whole) });
    expect(copied.ObjectParts!.Parts![0]).toEqual({ PartNumber: 1, Size: first.length });
    expect(found.ObjectParts).toMatchObject({
      TotalPartsCount: 2,
      IsTruncated: true,
      NextPartNumberMarker: '1',
      Parts: [{ PartNumber: 1, Size: first.length, [name]: checksumOf(algorithm, first) }],
    });
  });

  it('refuses a part with another algorithm than its upload, and one whose bytes do not match', async () => {
    const Key = newKey();
    const UploadId = await begin(Key, { ChecksumAlgorithm: 'SHA256' });
    await expect(put(Key, UploadId, 1, second, { ChecksumAlgorithm: 'CRC32' })).rejects.toEqual(
      refused('InvalidRequest'),
    );
    await expect(put(Key, UploadId, 1, second, { ChecksumSHA256: checksumOf('SHA256', first) })).rejects.toEqual(
      refused('BadDigest'),
    );
    expect((await gateway.client.send(new ListPartsCommand({ Bucket, Key, UploadId }))).Parts).toBeUndefined();
    const part = await put(Key, UploadId, 1, second, { ChecksumSHA256: checksumOf('SHA256', second) });
    await expect(complete(Key, UploadId, [{ ...part, ChecksumSHA256: checksumOf('SHA256', first) }])).rejects.toEqual(
      refused('InvalidPart'),
    );
    await complete(Key, UploadId, [part]);
  });

  it.each([
    ['none', undefined],
    ['CRC32', 'CRC32'],
  ] as const)(
    'refuses a completion whose checksum an upload begun with %s cannot compare',
    async (_name, ChecksumAlgorithm) => {
      const Key = newKey();
      const UploadId = await begin(Key, { ChecksumAlgorithm });
      const part = await put(Key, UploadId, 1, second, { ChecksumAlgorithm: 'CRC32' });
      const right = checksumOf('SHA256', second);
      for (const value of [right, checksumOf('SHA256', first)]) {
        await expect(complete(Key, UploadId, [part], { ChecksumSHA256: value })).rejects.toEqual(
          refused('InvalidRequest'),
        );
        await expect(complete(Key, UploadId, [{ ...part, ChecksumSHA256: value }])).rejects.toEqual(
          refused('InvalidRequest'),
        );
      }
      // The checksum of the part is kept, even if the upload was begun without one.
      await expect(complete(Key, UploadId, [{ ...part, ChecksumCRC32: checksumOf('CRC32', first) }])).rejects.toEqual(
        refused('InvalidPart'),
      );
      const body =
        `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.ETag}</ETag>` +
        '<ChecksumXXHASH64>AAAAAAAAAAA=</ChecksumXXHASH64></Part></CompleteMultipartUpload>';
      const unknown = await exchange(gateway, {
        method: 'POST',
        path: `/${Bucket}/${encodeKey(Key)}`,
        query: { uploadId: UploadId },
        body,
      });
      expect([unknown.status, textOf(unknown.text, 'Code')]).toEqual([400, 'InvalidRequest']);
      expect(part.ChecksumCRC32).toBe(checksumOf('CRC32', second));
      await expect(bytesOf(Key)).rejects.toEqual(refused('NoSuchKey', 404));
      await complete(Key, UploadId, [part]);
      // The repeated response is checked like the first.
      await expect(complete(Key, UploadId, [part], { ChecksumSHA256: right })).rejects.toEqual(
        refused('InvalidRequest'),
      );
    },
  );

  it('checks the body of a completion against its trailer, and never ignores a trailer', async () => {
    const Key = newKey();
    const UploadId = await begin(Key);
    const { ETag } = await put(Key, UploadId, 1, second);
    const part = `<Part><PartNumber>1</PartNumber><ETag>${ETag}</ETag></Part>`;
    const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
    const send = (headers: Record<string, string>) =>
      exchange(gateway, {
        method: 'POST',
        path: `/${Bucket}/${encodeKey(Key)}`,
        query: { uploadId: UploadId },
        body,
        payload: 'chunks-trailer',
        headers,
      });
    expect(textOf((await send({ 'x-amz-trailer': '' })).text, 'Code')).toBe('MalformedTrailerError');
    expect(textOf((await send({ 'x-amz-trailer': 'x-amz-checksum-sha1' })).text, 'Code')).toBe('MalformedTrailerError');
    expect((await send({})).status).toBe(200);
  });

  it('refuses types that an algorithm does not have', async () => {
    await expect(begin(newKey(), { ChecksumAlgorithm: 'SHA256', ChecksumType: 'FULL_OBJECT' })).rejects.toEqual(
      refused('InvalidRequest'),
    );
    await expect(begin(newKey(), { ChecksumAlgorithm: 'CRC64NVME', ChecksumType: 'COMPOSITE' })).rejects.toEqual(
      refused('InvalidRequest'),
    );
  });
});
