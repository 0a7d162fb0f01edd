import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checksumAlgorithms, checksumOf } from '#server/domain/s3/checksums/algorithms.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';

const Bucket = 'private';
const body = Buffer.from('the bytes of a file');
const other = Buffer.from('other bytes');

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const put = (Key: string, more: object = {}) => gateway.client.send(new PutObjectCommand({ Bucket, Key, Body: body, ...more }));
const head = (Key: string, more: object = {}) => gateway.client.send(new HeadObjectCommand({ Bucket, Key, ...more }));
const refused = (code: string) => expect.objectContaining({ name: code, $metadata: expect.objectContaining({ httpStatusCode: 400 }) });

/** What is refused leaves nothing: no file, no usage. */
async function nothingStored(): Promise<void> {
  expect((await gateway.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'refused' }))).KeyCount).toBe(0);
  const account = await gateway.server.running.app.stores.metadata.read.accounts.find(gateway.account.id);
  expect(account!.reservedBytes).toBe(0);
}

describe('the integrity of a PUT', () => {
  it.each(checksumAlgorithms)('%s is checked in a header, kept, and answered on request', async (algorithm) => {
    const name = `Checksum${algorithm}`;
    const value = checksumOf(algorithm, body);
    expect(await put(`kept-${algorithm}`, { [name]: value })).toMatchObject({ [name]: value, ChecksumType: 'FULL_OBJECT' });
    expect(await head(`kept-${algorithm}`, { ChecksumMode: 'ENABLED' })).toMatchObject({ [name]: value, ChecksumType: 'FULL_OBJECT' });
    expect(await head(`kept-${algorithm}`)).not.toHaveProperty(name);
    await expect(put(`refused-${algorithm}`, { [name]: checksumOf(algorithm, other) })).rejects.toEqual(refused('BadDigest'));
    for (const wrong of ['bad', '', checksumOf(algorithm === 'SHA1' ? 'SHA256' : 'SHA1', body), `${value}-1`]) {
      if (wrong !== '') await expect(put(`refused-${algorithm}`, { [name]: wrong })).rejects.toEqual(refused('InvalidRequest'));
    }
    await nothingStored();
  });

  it.each(checksumAlgorithms)('%s is checked behind the bytes', async (ChecksumAlgorithm) => {
    // A stream has no value beforehand, so that the client sends it as a trailer.
    const Body = Readable.from([body], { objectMode: false });
    const value = checksumOf(ChecksumAlgorithm, body);
    expect(await put(`trailer-${ChecksumAlgorithm}`, { Body, ContentLength: body.length, ChecksumAlgorithm })).toMatchObject({ [`Checksum${ChecksumAlgorithm}`]: value });
    const got = await gateway.client.send(new GetObjectCommand({ Bucket, Key: `trailer-${ChecksumAlgorithm}`, ChecksumMode: 'ENABLED' }));
    expect(got).toMatchObject({ [`Checksum${ChecksumAlgorithm}`]: value });
    expect(await got.Body!.transformToString()).toBe(body.toString());
  });

  it('Content-MD5 is always checked', async () => {
    const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64');
    await put('md5', { ContentMD5: md5(body) });
    await expect(put('refused-md5', { ContentMD5: md5(other) })).rejects.toEqual(refused('BadDigest'));
    await expect(put('refused-md5', { ContentMD5: 'bad' })).rejects.toEqual(refused('InvalidDigest'));
    await expect(put('refused-md5', { ContentMD5: Buffer.alloc(15).toString('base64') })).rejects.toEqual(refused('InvalidDigest'));
    await nothingStored();
  });

  it('a file of several blobs is given up when its checksum is another one', async () => {
    const large = Buffer.alloc(300_000, 'large');
    await expect(put('refused-large', { Body: large, ChecksumSHA256: checksumOf('SHA256', body) })).rejects.toEqual(refused('BadDigest'));
    await nothingStored();
  });

  it('leaves the file that is there in force', async () => {
    await put('there');
    await expect(put('there', { Body: other, ChecksumCRC32: checksumOf('CRC32', body) })).rejects.toEqual(refused('BadDigest'));
    expect(await (await gateway.client.send(new GetObjectCommand({ Bucket, Key: 'there' }))).Body!.transformToString()).toBe(body.toString());
  });

  it('takes one checksum at a time', async () => {
    await expect(put('refused-two', { ChecksumCRC32: checksumOf('CRC32', body), ChecksumSHA1: checksumOf('SHA1', body) })).rejects.toEqual(refused('InvalidRequest'));
    await nothingStored();
  });
});
