import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { exchange, sendWire, textOf, type S3Answer } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { presign } from '#test/s3/signed-request.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.stop());

const sendSigned = (target: string, method: string, body = ''): Promise<S3Answer> =>
  sendWire(gateway, {
    method,
    target,
    headers: [
      ['host', new URL(gateway.url).host],
      ...(body === '' ? [] : [['content-length', String(body.length)] as const]),
    ],
    body: Buffer.from(body),
  });

describe('a checksum in the query of a presigned PUT', () => {
  const crcOf = (text: string) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(text));
    return bytes.toString('base64');
  };
  const shaOf = (text: string) => createHash('sha256').update(text).digest('base64');
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string | undefined]> = [
    ['of the empty body is no promise', { 'x-amz-checksum-crc32': crcOf('') }, undefined],
    [
      'of the empty body with its algorithm is no promise',
      { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-sdk-checksum-algorithm': 'CRC32' },
      undefined,
    ],
    ['of the empty body in SHA-256 is no promise', { 'x-amz-checksum-sha256': shaOf('') }, undefined],
    ['whose algorithm alone is named is no promise', { 'x-amz-sdk-checksum-algorithm': 'CRC32' }, undefined],
    ['of the body is checked', { 'x-amz-checksum-crc32': crcOf('body') }, undefined],
    [
      'of the body with its algorithm is checked',
      { 'x-amz-checksum-sha256': shaOf('body'), 'x-amz-sdk-checksum-algorithm': 'SHA256' },
      undefined,
    ],
    ['of another body is refused', { 'x-amz-checksum-crc32': crcOf('other') }, 'BadDigest'],
    ['of another body in SHA-256 is refused', { 'X-Amz-Checksum-Sha256': shaOf('other') }, 'BadDigest'],
    ['that is none is refused', { 'x-amz-checksum-crc32': 'x' }, 'InvalidRequest'],
    ['of an unknown algorithm is refused', { 'x-amz-checksum-md9': 'AAAA' }, 'InvalidRequest'],
  ];
  test.each(cases)('%s', async (name, query, code) => {
    const path = `/private/${encodeURIComponent(name)}`;
    const answer = await sendSigned(presign(gateway, { method: 'PUT', path, query }), 'PUT', 'body');
    expect(textOf(answer.text, 'Code')).toBe(code);
    expect((await exchange(gateway, { path })).status).toBe(code === undefined ? 200 : 404);
  });

  test('is stored with the file, so that a presigned GET can ask for it', async () => {
    const query = { 'x-amz-checksum-crc32': crcOf('body') };
    await sendSigned(presign(gateway, { method: 'PUT', path: '/private/sum', query }), 'PUT', 'body');
    const target = presign(gateway, { path: '/private/sum', query: { 'x-amz-checksum-mode': 'ENABLED' } });
    expect((await sendSigned(target, 'GET')).headers['x-amz-checksum-crc32']).toBe(crcOf('body'));
  });
});

describe('a presigned GET', () => {
  const rendered = ['text/html', 'TEXT/HTML; charset=utf-8', 'image/svg+xml', 'application/xhtml+xml', 'text/xml'];
  const run = ['text/javascript', 'application/wasm', 'application/x-shockwave-flash', 'a/b, text/html'];

  test.each([...rendered, ...run])('of the type %s is a download, whatever is asked for', async (type) => {
    for (const own of [undefined, 'inline', 'inline; filename="page.html"', 'attachment, inline']) {
      const headers = { 'content-type': type, ...(own !== undefined && { 'content-disposition': own }) };
      await exchange(gateway, { method: 'PUT', path: '/private/page', headers, body: '<script>' });
      for (const query of [{}, { 'response-content-disposition': 'inline' }] as Array<Record<string, string>>)
        for (const method of ['GET', 'HEAD']) {
          const answer = await sendSigned(presign(gateway, { method, path: '/private/page', query }), method);
          expect(answer.headers['content-disposition']).toMatch(/^attachment(?:;|$)/);
          expect(answer.headers['content-type']).toBe(type);
        }
      const { headers: signed } = await exchange(gateway, { path: '/private/page' });
      expect(signed['content-disposition']).toBe(own);
    }
  });

  test('of a type that the address sets is a download with the name of the file', async () => {
    await exchange(gateway, { method: 'PUT', path: '/private/a/b.txt', body: '<script>' });
    const query = { 'response-content-type': 'text/html' };
    const answer = await sendSigned(presign(gateway, { path: '/private/a/b.txt', query }), 'GET');
    expect(answer.headers['content-disposition']).toBe('attachment; filename=b.txt');
  });

  test.each(['image/png', 'application/pdf', 'text/plain; charset=utf-8', 'video/mp4'])(
    'of the type %s is shown as before',
    async (type) => {
      await exchange(gateway, { method: 'PUT', path: '/private/shown', headers: { 'content-type': type }, body: 'x' });
      const query = { 'response-content-disposition': 'inline' };
      const answer = await sendSigned(presign(gateway, { path: '/private/shown', query }), 'GET');
      expect(answer.headers['content-disposition']).toBe('inline');
    },
  );
});

describe('Cache-Control of a file that came over S3, at the public host', () => {
  const publicOf = (key: string, query = '') =>
    gateway.server.send(`/${gateway.account.id}/${key}${query}`, { door: 'public' });

  test.each([
    ['no-store', 'no-store'],
    ['private', 'private'],
    ['private, max-age=3600', 'private, max-age=3600'],
    ['No-Store, max-age=0', 'No-Store, max-age=0'],
    ['private="x-a", max-age=600', 'private="x-a", max-age=600'],
    ['public, max-age=600', 'public, max-age=600'],
    ['x-no-store-ever', 'public, max-age=60'],
  ])('%s is served as %s', async (set, served) => {
    await exchange(gateway, { method: 'PUT', path: '/public/c.txt', headers: { 'cache-control': set }, body: 'x' });
    expect((await publicOf('c.txt')).headers.get('cache-control')).toBe(served);
    if (served !== set || set.startsWith('public')) return;
    expect((await publicOf('c.txt', '?v=1')).headers.get('cache-control')).toBe(served);
    expect((await publicOf('%63.txt')).headers.get('cache-control')).toBe(served);
    expect((await exchange(gateway, { path: '/public/c.txt' })).headers['cache-control']).toBe(set);
  });

  test('is that of REST after a change there', async () => {
    const headers = { 'cache-control': 'no-store' };
    await exchange(gateway, { method: 'PUT', path: '/public/changed.txt', headers, body: 'x' });
    await gateway.server.send('/v1/objects', {
      method: 'PATCH',
      credential: gateway.account.credential,
      body: JSON.stringify({ object: `pub/${gateway.account.id}/changed.txt`, cache_control: 'max-age=300' }),
    });
    expect((await publicOf('changed.txt')).headers.get('cache-control')).toBe('public, max-age=300');
  });
});

test.each(['', 'auto'])('the region "%s" is taken in a presigned address', async (region) => {
  expect((await sendSigned(presign(gateway, { path: '/', region }), 'GET')).status).toBe(200);
});
