import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checksumAlgorithms, checksumOf } from '#server/domain/checksums/algorithms.ts';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } from '#test/s3/small-client.ts';
import { exchange, textOf } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import type { Payload } from '#test/s3/signed-request.ts';

const Bucket = 'private';
const body = Buffer.from('the bytes of a file');
const other = Buffer.from('other bytes');

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const put = (Key: string, more: object = {}) =>
  gateway.client.send(new PutObjectCommand({ Bucket, Key, Body: body, ...more }));
const head = (Key: string, more: object = {}) => gateway.client.send(new HeadObjectCommand({ Bucket, Key, ...more }));
const refused = (code: string) =>
  expect.objectContaining({ name: code, $metadata: expect.objectContaining({ httpStatusCode: 400 }) });

/** Checks that a refused request leaves no file and no usage. */
async function nothingStored(): Promise<void> {
  expect((await gateway.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'refused' }))).KeyCount).toBe(0);
  const account = await gateway.server.running.app.stores.metadata.read.accounts.find(gateway.account.id);
  expect(account!.reservedBytes).toBe(0);
}

describe('the integrity of a PUT', () => {
  it.each(checksumAlgorithms)('%s is checked in a header, kept, and returned on request', async (algorithm) => {
    const name = `Checksum${algorithm}`;
    const value = checksumOf(algorithm, body);
    expect(await put(`kept-${algorithm}`, { [name]: value })).toMatchObject({
      [name]: value,
      ChecksumType: 'FULL_OBJECT',
    });
    expect(await head(`kept-${algorithm}`, { ChecksumMode: 'ENABLED' })).toMatchObject({
      [name]: value,
      ChecksumType: 'FULL_OBJECT',
    });
    expect(await head(`kept-${algorithm}`)).not.toHaveProperty(name);
    await expect(put(`refused-${algorithm}`, { [name]: checksumOf(algorithm, other) })).rejects.toEqual(
      refused('BadDigest'),
    );
    for (const wrong of ['bad', '', checksumOf(algorithm === 'SHA1' ? 'SHA256' : 'SHA1', body), `${value}-1`]) {
      if (wrong !== '')
        await expect(put(`refused-${algorithm}`, { [name]: wrong })).rejects.toEqual(refused('InvalidRequest'));
    }
    await nothingStored();
  });

  it.each(checksumAlgorithms)('%s is checked as a trailer', async (ChecksumAlgorithm) => {
    // The checksum of a stream is not known beforehand, so the client sends it as a trailer.
    const Body = Readable.from([body], { objectMode: false });
    const value = checksumOf(ChecksumAlgorithm, body);
    expect(
      await put(`trailer-${ChecksumAlgorithm}`, { Body, ContentLength: body.length, ChecksumAlgorithm }),
    ).toMatchObject({ [`Checksum${ChecksumAlgorithm}`]: value });
    const got = await gateway.client.send(
      new GetObjectCommand({ Bucket, Key: `trailer-${ChecksumAlgorithm}`, ChecksumMode: 'ENABLED' }),
    );
    expect(got).toMatchObject({ [`Checksum${ChecksumAlgorithm}`]: value });
    expect(await got.Body!.transformToString()).toBe(body.toString());
  });

  it('Content-MD5 is always checked', async () => {
    const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64');
    await put('md5', { ContentMD5: md5(body) });
    await expect(put('refused-md5', { ContentMD5: md5(other) })).rejects.toEqual(refused('BadDigest'));
    await expect(put('refused-md5', { ContentMD5: 'bad' })).rejects.toEqual(refused('InvalidDigest'));
    await expect(put('refused-md5', { ContentMD5: Buffer.alloc(15).toString('base64') })).rejects.toEqual(
      refused('InvalidDigest'),
    );
    await nothingStored();
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['another one', { 'x-amz-checksum-sha256': checksumOf('SHA256', body) }],
    ['an MD5 alone', { 'content-md5': createHash('md5').update(body).digest('base64') }],
  ])('is refused if x-amz-sdk-checksum-algorithm names a checksum and the request has %s', async (_, headers) => {
    const named = { ...headers, 'x-amz-sdk-checksum-algorithm': 'CRC32' };
    const deletion = '<Delete><Object><Key>named</Key></Object></Delete>';
    await put('named');
    for (const request of [
      { method: 'PUT', path: `/${Bucket}/refused-named`, body, headers: named },
      { method: 'PUT', path: `/${Bucket}/refused-named`, body, headers: named, payload: 'chunks-signed' as const },
      {
        method: 'POST',
        path: `/${Bucket}`,
        query: { delete: '' },
        body: deletion,
        headers: { 'x-amz-sdk-checksum-algorithm': 'CRC32' },
      },
    ]) {
      const answer = await exchange(gateway, request);
      expect([answer.status, textOf(answer.text, 'Code')]).toEqual([400, 'InvalidRequest']);
    }
    await nothingStored();
    await head('named');
  });

  it.each(['chunks-trailer', 'chunks-signed-trailer'] as const)(
    'accepts the checksum that x-amz-sdk-checksum-algorithm names, in any case, also as a trailer: %s',
    async (payload) => {
      const named = { 'x-amz-sdk-checksum-algorithm': 'crc32' };
      expect(
        (await exchange(gateway, { method: 'PUT', path: `/${Bucket}/named-${payload}`, body, headers: named, payload }))
          .status,
      ).toBe(200);
      expect(
        (
          await exchange(gateway, {
            method: 'PUT',
            path: `/${Bucket}/named-header`,
            body,
            headers: { ...named, 'x-amz-checksum-crc32': checksumOf('CRC32', body) },
          })
        ).status,
      ).toBe(200);
      const other = await exchange(gateway, {
        method: 'PUT',
        path: `/${Bucket}/refused-named`,
        body,
        headers: { 'x-amz-sdk-checksum-algorithm': 'SHA1' },
        payload,
      });
      expect([other.status, textOf(other.text, 'Code')]).toEqual([400, 'InvalidRequest']);
      await nothingStored();
    },
  );

  it('a file of several blobs is not stored when its checksum does not match', async () => {
    const large = Buffer.alloc(300_000, 'large');
    await expect(put('refused-large', { Body: large, ChecksumSHA256: checksumOf('SHA256', body) })).rejects.toEqual(
      refused('BadDigest'),
    );
    await nothingStored();
  });

  it('keeps the existing file when it fails', async () => {
    await put('there');
    await expect(put('there', { Body: other, ChecksumCRC32: checksumOf('CRC32', body) })).rejects.toEqual(
      refused('BadDigest'),
    );
    expect(
      await (await gateway.client.send(new GetObjectCommand({ Bucket, Key: 'there' }))).Body!.transformToString(),
    ).toBe(body.toString());
  });

  it.each<[string, Payload, Record<string, string>]>([
    ['a trailer that was not announced', 'chunks-trailer', { 'x-amz-trailer': '' }],
    ['a signed trailer that was not announced', 'chunks-signed-trailer', { 'x-amz-trailer': 'x-other' }],
    [
      'a trailer beside the announced one',
      'chunks-trailer',
      { 'x-amz-trailer': '', 'x-amz-checksum-sha256': checksumOf('SHA256', body) },
    ],
    ['a trailer that is missing', 'unsigned', { 'x-amz-trailer': 'x-amz-checksum-crc32' }],
    ['an unknown trailer', 'chunks-trailer', { 'x-amz-trailer': 'x-amz-checksum-crc32, x-amz-checksum-sha512' }],
    ['an unknown header', 'signed', { 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=' }],
  ])('never ignores %s', async (_what, payload, headers) => {
    const { status, text } = await exchange(gateway, {
      method: 'PUT',
      path: `/${Bucket}/refused-trailer`,
      body,
      payload,
      headers,
    });
    expect([status, textOf(text, 'Code')]).toEqual([
      400,
      expect.stringMatching(/^(InvalidRequest|MalformedTrailerError)$/),
    ]);
    await nothingStored();
  });

  it('refuses a checksum in a header together with one as a trailer', async () => {
    const headers = { 'x-amz-checksum-crc32': checksumOf('CRC32', body) };
    const { status, text } = await exchange(gateway, {
      method: 'PUT',
      path: `/${Bucket}/refused-both`,
      body,
      payload: 'chunks-trailer',
      headers,
    });
    expect([status, textOf(text, 'Code')]).toEqual([400, 'InvalidRequest']);
    await nothingStored();
  });

  it('refuses two checksums', async () => {
    await expect(
      put('refused-two', { ChecksumCRC32: checksumOf('CRC32', body), ChecksumSHA1: checksumOf('SHA1', body) }),
    ).rejects.toEqual(refused('InvalidRequest'));
    await nothingStored();
  });
});
