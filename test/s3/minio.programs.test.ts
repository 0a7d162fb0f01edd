import { Client } from 'minio';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { sha256, someBytes, startGateway, type Gateway } from './gateway.ts';

let gateway: Gateway;
let client: Client;
beforeAll(async () => {
  gateway = await startGateway();
  const { hostname, port } = new URL(gateway.url);
  client = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    region: 'auto',
    accessKey: gateway.accessKeyId,
    secretKey: gateway.secretAccessKey,
  });
});
afterAll(() => gateway.stop());

async function read(key: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of await client.getObject('private', key)) pieces.push(piece);
  return sha256(Buffer.concat(pieces));
}

describeWith('minio')('the minio client', () => {
  it('stores, stats, reads a part, copies and removes', async () => {
    const bytes = someBytes(40_000);
    const { etag } = await client.putObject('private', 'a b/ü+.bin', bytes, bytes.length, {
      'Content-Type': 'text/x-m',
      'X-Amz-Meta-Colour': 'green',
    });
    expect(await client.statObject('private', 'a b/ü+.bin')).toMatchObject({
      size: 40_000,
      etag,
      metaData: { 'content-type': 'text/x-m', colour: 'green' },
    });
    expect(await read('a b/ü+.bin')).toBe(sha256(bytes));
    const pieces: Buffer[] = [];
    for await (const piece of await client.getPartialObject('private', 'a b/ü+.bin', 100, 50)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes.subarray(100, 150))).toBe(true);
    await client.copyObject('private', 'copy.bin', '/private/a b/ü+.bin');
    expect(await read('copy.bin')).toBe(sha256(bytes));
    await client.removeObjects('private', ['a b/ü+.bin', 'copy.bin']);
    await expect(client.statObject('private', 'copy.bin')).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('uploads a stream in parts', async () => {
    const bytes = someBytes(12 * 1_048_576);
    const { Readable } = await import('node:stream');
    await client.putObject(
      'private',
      'parts.bin',
      Readable.from([bytes.subarray(0, 7_000_000), bytes.subarray(7_000_000)]),
    );
    expect(await read('parts.bin')).toBe(sha256(bytes));
  });

  it('finds the bucket, its region and its files', async () => {
    expect(await client.bucketExists('private')).toBe(true);
    expect(await client.bucketExists('other')).toBe(false);
    expect((await client.listBuckets()).map(({ name }) => name).toSorted()).toEqual(['legacy', 'private', 'public']);
    await client.putObject('private', 'listed/f +15', 'x');
    await client.putObject('private', 'listed/f &', 'x');
    const names: Array<string | undefined> = [];
    for await (const { name } of client.listObjects('private', 'listed/', true)) names.push(name);
    expect(names).toEqual(['listed/f &', 'listed/f +15']);
  });
});

describeWith('minio')('forms that browsers post', () => {
  /** Posts a file with the policy that the client signed, after changing or adding fields. */
  async function post(
    key: string,
    bytes: Buffer,
    {
      changed = {},
      limit = [1, 10_000],
    }: { readonly changed?: Readonly<Record<string, string>>; readonly limit?: readonly [number, number] } = {},
  ): Promise<Response> {
    const policy = client.newPostPolicy();
    policy.setBucket('private');
    policy.setKey(key);
    policy.setExpires(new Date(Date.now() + 600_000));
    policy.setContentType('text/x-form');
    policy.setContentLengthRange(...limit);
    const { postURL, formData } = await client.presignedPostPolicy(policy);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...formData, ...changed })) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), 'file.txt');
    return fetch(postURL, { method: 'POST', body: form });
  }

  it('store a file that matches the policy', async () => {
    const bytes = someBytes(3000);
    const answer = await post('form/a b.txt', bytes);
    expect(answer.status, await answer.text()).toBe(204);
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(await client.statObject('private', 'form/a b.txt')).toMatchObject({
      size: 3000,
      metaData: { 'content-type': 'text/x-form' },
    });
    expect((await gateway.info('private', 'form/a b.txt')).sha256).toBe(sha256(bytes));
  });

  it.each([
    ['another key', { changed: { key: 'form/other.txt' } }, 403, 'AccessDenied'],
    ['another type', { changed: { 'Content-Type': 'text/html' } }, 403, 'AccessDenied'],
    ['a field that the policy does not name', { changed: { 'x-amz-meta-added': '1' } }, 403, 'AccessDenied'],
    ['another signature', { changed: { 'x-amz-signature': '0'.repeat(64) } }, 403, 'SignatureDoesNotMatch'],
    [
      'another policy',
      { changed: { policy: Buffer.from('{"expiration":"2100-01-01T00:00:00Z","conditions":[]}').toString('base64') } },
      403,
      'SignatureDoesNotMatch',
    ],
    ['a file that is too large', { limit: [1, 2000] as const }, 400, 'EntityTooLarge'],
    ['a file that is too small', { limit: [4000, 9000] as const }, 400, 'EntityTooSmall'],
  ])('are refused with %s, and store nothing', async (_, options, status, code) => {
    const answer = await post('form/refused.txt', someBytes(3000), options);
    expect([answer.status, /<Code>(.*?)<\/Code>/.exec(await answer.text())?.[1]]).toEqual([status, code]);
    for (const key of ['form/refused.txt', 'form/other.txt'])
      expect(await gateway.info('private', key)).toBeUndefined();
  });
});
