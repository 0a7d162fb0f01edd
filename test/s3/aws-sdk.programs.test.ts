import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type ChecksumAlgorithm,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';

import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { upload } from '#test/support/files.ts';
import { sha256, someBytes, startGateway, type Gateway } from './gateway.ts';
import type { Endpoint } from './signed-request.ts';

const mebibyte = 1_048_576;

const describeSdk = describeWith('@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@aws-sdk/s3-request-presigner');

/** Only the settings that a client needs to find the gateway are set. */
function clientOf({ url, accessKeyId, secretAccessKey }: Endpoint): S3Client {
  return new S3Client({
    endpoint: url,
    region: 'auto',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
}

let gateway: Gateway;
let client: S3Client;
beforeAll(async () => {
  gateway = await startGateway();
  client = clientOf(gateway);
});
afterAll(async () => {
  client.destroy();
  await gateway.stop();
});

async function put(Key: string, Body: Buffer | string = someBytes(), Bucket = 'private') {
  return client.send(new PutObjectCommand({ Bucket, Key, Body }));
}

async function get(Key: string, Bucket = 'private'): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return Buffer.from(await Body!.transformToByteArray());
}

describeSdk('the AWS SDK with its default settings', () => {
  it('lists the three buckets', async () => {
    const { Buckets } = await client.send(new ListBucketsCommand());
    expect(Buckets!.map(({ Name }) => Name).toSorted()).toEqual(['legacy', 'private', 'public']);
    for (const Bucket of ['public', 'private', 'legacy']) await client.send(new HeadBucketCommand({ Bucket }));
    await expect(client.send(new HeadBucketCommand({ Bucket: 'other' }))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 404 },
    });
  });

  it.each([0, 1, 511, 20_000, 3 * mebibyte])(
    'stores and reads a file of %d bytes, and REST shows the same SHA-256',
    async (sizeBytes) => {
      const bytes = someBytes(sizeBytes);
      const { ETag } = await put(`sizes/${sizeBytes}.bin`, bytes);
      expect(sha256(await get(`sizes/${sizeBytes}.bin`))).toBe(sha256(bytes));
      expect(await gateway.info('private', `sizes/${sizeBytes}.bin`)).toMatchObject({
        size: sizeBytes,
        sha256: sha256(bytes),
        etag: ETag!.replaceAll('"', ''),
        private: true,
      });
    },
  );

  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as ChecksumAlgorithm[])(
    'sends, keeps and verifies %s',
    async (algorithm) => {
      const Key = `sums/${algorithm}`;
      const stored = await client.send(
        new PutObjectCommand({ Bucket: 'private', Key, Body: someBytes(), ChecksumAlgorithm: algorithm }),
      );
      const field = `Checksum${algorithm}` as 'ChecksumCRC32';
      expect(stored[field]).toMatch(/=$/);
      const head = await client.send(new HeadObjectCommand({ Bucket: 'private', Key, ChecksumMode: 'ENABLED' }));
      expect(head[field]).toBe(stored[field]);
    },
  );

  it('streams a body of unknown type with its checksum in the trailer', async () => {
    const bytes = someBytes(300_000);
    const Body = Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]);
    await client.send(
      new PutObjectCommand({
        Bucket: 'public',
        Key: 'stream.bin',
        Body,
        ContentLength: bytes.length,
        ContentEncoding: 'gzip',
      }),
    );
    const head = await client.send(new HeadObjectCommand({ Bucket: 'public', Key: 'stream.bin' }));
    expect(head).toMatchObject({ ContentLength: bytes.length, ContentEncoding: 'gzip' });
    expect(sha256(await get('stream.bin', 'public'))).toBe(sha256(bytes));
  });

  it('keeps the headers and metadata of a file', async () => {
    const fields = {
      ContentType: 'text/x-poem; charset=utf-8',
      CacheControl: 'max-age=77',
      ContentDisposition: 'attachment; filename="a b.txt"',
      ContentLanguage: 'pt-BR',
      Metadata: { colour: 'green', 'with-dash': 'yes' },
    };
    await client.send(
      new PutObjectCommand({
        Bucket: 'private',
        Key: 'fields.txt',
        Body: 'words',
        Expires: new Date('2031-01-02T03:04:05Z'),
        ...fields,
      }),
    );
    expect(await client.send(new HeadObjectCommand({ Bucket: 'private', Key: 'fields.txt' }))).toMatchObject({
      ...fields,
      ExpiresString: 'Thu, 02 Jan 2031 03:04:05 GMT',
    });
    const { Metadata } = await client.send(new HeadObjectCommand({ Bucket: 'private', Key: 'fields.txt' }));
    expect(Metadata).toEqual(fields.Metadata);
  });

  it.each([
    'a b+c.txt',
    'ünïcödé/日本語.txt',
    'percent%20%2F.txt',
    'double//slash.txt',
    'quotes\'"()*!.txt',
    '~tilde/&=?#.txt',
    'x'.repeat(1000),
  ])('stores the key %s', async (key) => {
    const bytes = someBytes(700);
    await put(key, bytes);
    expect(sha256(await get(key))).toBe(sha256(bytes));
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'private', Prefix: key }));
    expect(Contents.map(({ Key }) => Key)).toEqual([key]);
    await client.send(new DeleteObjectCommand({ Bucket: 'private', Key: key }));
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('pages through a list and groups it into folders', async () => {
    for (const number of Array.from({ length: 12 }).keys()) await put(`pages/${number % 3}/file ${number}+.txt`, 'x');
    const keys: string[] = [];
    for await (const page of paginateListObjectsV2(
      { client: client, pageSize: 5 },
      { Bucket: 'private', Prefix: 'pages/' },
    )) {
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key!));
    }
    expect(keys).toHaveLength(12);
    expect(keys).toEqual(keys.toSorted());
    const folders: string[] = [];
    for await (const page of paginateListObjectsV2(
      { client: client, pageSize: 2 },
      { Bucket: 'private', Prefix: 'pages/', Delimiter: '/' },
    )) {
      expect(page.Contents ?? []).toEqual([]);
      folders.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix!));
    }
    expect(folders).toEqual(['pages/0/', 'pages/1/', 'pages/2/']);
  });

  it('deletes several files in one request', async () => {
    for (const number of Array.from({ length: 5 }).keys()) await put(`many/${number}`, 'x');
    const Objects = [
      ...Array.from({ length: 5 }, (_, number) => ({ Key: `many/${number}` })),
      { Key: 'many/never-there' },
    ];
    const { Deleted, Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: 'private', Delete: { Objects } }),
    );
    expect(Deleted).toHaveLength(6);
    expect(Errors).toEqual([]);
    expect((await client.send(new ListObjectsV2Command({ Bucket: 'private', Prefix: 'many/' }))).KeyCount).toBe(0);
  });

  it('copies between the buckets, with and without new metadata', async () => {
    const bytes = someBytes(30_000);
    await client.send(
      new PutObjectCommand({
        Bucket: 'private',
        Key: 'from/ä b.txt',
        Body: bytes,
        Metadata: { one: '1' },
        ContentType: 'text/x-a',
      }),
    );
    const CopySource = `private/${encodeURIComponent('from/ä b.txt')}`;
    const { CopyObjectResult } = await client.send(
      new CopyObjectCommand({ Bucket: 'public', Key: 'to.txt', CopySource }),
    );
    expect(CopyObjectResult!.ETag).toMatch(/^".+"$/);
    expect(await client.send(new HeadObjectCommand({ Bucket: 'public', Key: 'to.txt' }))).toMatchObject({
      Metadata: { one: '1' },
      ContentType: 'text/x-a',
    });
    await client.send(
      new CopyObjectCommand({
        Bucket: 'public',
        Key: 'to.txt',
        CopySource,
        MetadataDirective: 'REPLACE',
        Metadata: { two: '2' },
        ContentType: 'text/x-b',
      }),
    );
    expect((await client.send(new HeadObjectCommand({ Bucket: 'public', Key: 'to.txt' }))).Metadata).toEqual({
      two: '2',
    });
    expect(sha256(await get('to.txt', 'public'))).toBe(sha256(bytes));
    expect((await gateway.info('public', 'to.txt')).sha256).toBe(sha256(bytes));
  });

  it('writes under a condition', async () => {
    const { ETag } = await put('conditions.txt', 'first');
    const write = (condition: object) =>
      client.send(new PutObjectCommand({ Bucket: 'private', Key: 'conditions.txt', Body: 'second', ...condition }));
    await expect(write({ IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
      $metadata: { httpStatusCode: 412 },
    });
    await expect(write({ IfMatch: '"00000000000000000000000000000000"' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await write({ IfMatch: ETag });
    expect((await get('conditions.txt')).toString()).toBe('second');
  });
});

describeSdk('lib-storage', () => {
  it('uploads in parts, which REST shows as an open upload and afterwards as one file', async () => {
    const bytes = someBytes(16 * mebibyte + 12_345);
    const done = new Upload({
      client: client,
      params: { Bucket: 'private', Key: 'large.bin', Body: Readable.from(slices(bytes)), ContentType: 'video/x-test' },
      partSize: 5 * mebibyte,
    }).done();
    const { ETag } = await done;
    expect(ETag).toMatch(/^"[0-9a-f]{32}-4"$/);
    expect(sha256(await get('large.bin'))).toBe(sha256(bytes));
    await expect
      .poll(async () => (await gateway.info('private', 'large.bin')).sha256, { timeout: 10_000 })
      .toBe(sha256(bytes));
    const part = await client.send(new GetObjectCommand({ Bucket: 'private', Key: 'large.bin', PartNumber: 2 }));
    expect(part).toMatchObject({ PartsCount: 4, ContentLength: 5 * mebibyte, ContentType: 'video/x-test' });
    expect(sha256(await part.Body!.transformToByteArray())).toBe(sha256(bytes.subarray(5 * mebibyte, 10 * mebibyte)));
    const attributes = await client.send(
      new GetObjectAttributesCommand({
        Bucket: 'private',
        Key: 'large.bin',
        ObjectAttributes: ['ETag', 'ObjectSize', 'ObjectParts', 'Checksum'],
      }),
    );
    expect(attributes).toMatchObject({ ObjectSize: bytes.length, ObjectParts: { TotalPartsCount: 4 } });
  });

  it('shares its open uploads with the REST API, which can end them', async () => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'public', Key: 'open.bin' }));
    await client.send(
      new UploadPartCommand({
        Bucket: 'public',
        Key: 'open.bin',
        UploadId,
        PartNumber: 1,
        Body: someBytes(5 * mebibyte),
      }),
    );
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket: 'public' }))).Uploads).toMatchObject([
      { Key: 'open.bin', UploadId },
    ]);
    const { credential } = gateway.account;
    const open = (await gateway.server.send('/v1/objects/chunked/open', { credential })).json().response.uploads;
    expect(open).toMatchObject([{ id: `pub/${gateway.account.id}/open.bin` }]);
    const aborted = await gateway.server.send('/v1/objects/chunked', {
      method: 'DELETE',
      credential,
      body: JSON.stringify({ upload: open[0].upload }),
    });
    expect(aborted.status).toBe(200);
    await expect(
      client.send(new AbortMultipartUploadCommand({ Bucket: 'public', Key: 'open.bin', UploadId: 'nothing' })),
    ).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket: 'public' }))).Uploads ?? []).toEqual([]);
  });
});

describeSdk('s3-request-presigner', () => {
  it('presigns URLs that read and write until they expire', async () => {
    const bytes = someBytes(5000);
    const target = { Bucket: 'private', Key: 'signed/a b+ü.bin' };
    const writing = await getSignedUrl(client, new PutObjectCommand(target), { expiresIn: 604_800 });
    const written = await fetch(writing, { method: 'PUT', body: new Uint8Array(bytes) });
    expect(written.status, await written.text()).toBe(200);
    const reading = await getSignedUrl(
      client,
      new GetObjectCommand({ ...target, ResponseContentDisposition: 'attachment; filename="x.bin"' }),
    );
    const read = await fetch(reading);
    expect(sha256(new Uint8Array(await read.arrayBuffer()))).toBe(sha256(bytes));
    expect(read.headers.get('content-disposition')).toBe('attachment; filename="x.bin"');
    const old = await getSignedUrl(client, new GetObjectCommand(target), {
      expiresIn: 60,
      signingDate: new Date(Date.now() - 120_000),
    });
    expect((await fetch(old)).status).toBe(403);
    expect((await fetch(reading.replace('signed', 'signee'))).status).toBe(403);
    expect((await fetch(reading, { method: 'DELETE' })).status).toBe(403);
  });
});

describeSdk('REST and S3 over the same files', () => {
  it('S3 returns files that REST wrote, with their metadata and Content-Type', async () => {
    const bytes = someBytes(4000);
    const { id, etag } = (
      await upload(gateway.server, gateway.account, {
        bytes,
        filename: 'a.png',
        query: { name: 'rest', metadata: '{"colour":"red"}', cache_control: 'max-age=60' },
      })
    ).json().response;
    const Key = id.split('/').slice(2).join('/');
    const head = await client.send(new HeadObjectCommand({ Bucket: 'public', Key }));
    expect(head).toMatchObject({ ContentLength: 4000, ContentType: 'image/png', Metadata: { colour: 'red' } });
    expect(head.ETag).toBe(`"${etag ?? (await gateway.info('public', Key)).etag}"`);
    expect(head.CacheControl).toContain('max-age=60');
    expect(sha256(await get(Key, 'public'))).toBe(sha256(bytes));
  });

  it('REST reads, moves and deletes files that S3 wrote', async () => {
    await put('shared/note.txt', 'some words');
    const { credential, id } = gateway.account;
    const object = `prv/${id}/shared/note.txt`;
    const listed = (await gateway.server.send('/v1/objects?prefix=shared', { credential })).json().response.objects;
    expect(listed).toMatchObject([{ id: object, size: 10 }]);
    const deleted = await gateway.server.send('/v1/objects', {
      method: 'DELETE',
      credential,
      body: JSON.stringify({ object }),
    });
    expect(deleted.status).toBe(200);
    await expect(get('shared/note.txt')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000_003) yield bytes.subarray(at, at + 1_000_003);
}
