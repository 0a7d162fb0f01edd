import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { exchange, textsOf } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.stop());

const put = (key: string, headers: Readonly<Record<string, string>> = {}, body = 'x'.repeat(600)) =>
  exchange(gateway, { method: 'PUT', path: `/public/${key}`, headers, body });
const head = (key: string) => exchange(gateway, { method: 'HEAD', path: `/public/${key}` });

async function patch(key: string, changes: object): Promise<void> {
  const answer = await gateway.server.send('/v1/objects', {
    method: 'PATCH',
    credential: gateway.account.credential,
    body: JSON.stringify({ object: `pub/${gateway.account.id}/${key}`, ...changes }),
  });
  expect(answer.json().response.results[0].ok).toBe(true);
}

describe('a file that S3 wrote', () => {
  test('shows in REST with the same id, ETag and metadata, and the public host serves its own type', async () => {
    const written = await put('page.html', {
      'content-type': 'text/html',
      'cache-control': 'public, max-age=3600',
      'x-amz-meta-a': '1',
      'x-amz-meta-b_c': '2',
    });
    const info = await gateway.info('public', 'page.html');
    expect(info).toMatchObject({
      etag: written.headers.etag!.slice(1, -1),
      metadata: { a: '1' },
      content_type: 'application/octet-stream',
      cache_control: 'public, max-age=3600',
    });
    expect((await head('page.html')).headers).toMatchObject({
      'content-type': 'text/html',
      'x-amz-meta-a': '1',
      'x-amz-meta-b_c': '2',
      'cache-control': 'public, max-age=3600',
    });
    expect((await head('page.html')).headers['content-security-policy']).toContain('sandbox');
    const served = await fetch(info.url);
    expect([
      served.headers.get('content-type'),
      served.headers.get('content-disposition')?.split(';')[0],
      served.headers.get('x-amz-meta-a'),
    ]).toEqual(['application/octet-stream', 'attachment', null]);
  });

  test('gets the headers that REST sets, and keeps the others', async () => {
    await put('b.txt', {
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="other.txt"',
      'content-language': 'de',
      'x-amz-meta-a': '1',
      'x-amz-meta-b_c': '2',
    });
    await patch('b.txt', { cache_control: 'max-age=60', disposition: 'inline', metadata: { a: 'new' } });
    const { headers } = await head('b.txt');
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'content-disposition': 'inline; filename=b.txt',
      'content-language': 'de',
      'x-amz-meta-a': 'new',
      'x-amz-meta-b_c': '2',
    });
    await patch('b.txt', { cache_control: null, disposition: null, metadata: null });
    const bare = (await head('b.txt')).headers;
    expect([
      bare['cache-control'],
      bare['content-disposition'],
      bare['x-amz-meta-a'],
      bare['x-amz-meta-b_c'],
      bare['content-language'],
    ]).toEqual(['private, no-store', undefined, undefined, undefined, 'de']);
  });

  test('keeps its headers when REST copies it', async () => {
    await put('c.bin', { 'content-type': 'x/y', 'x-amz-meta-b_c': '2' });
    const source = `pub/${gateway.account.id}/c.bin`;
    await gateway.server.send('/v1/objects/copy', {
      method: 'POST',
      credential: gateway.account.credential,
      body: JSON.stringify({ source, destination: { name: 'copied' } }),
    });
    expect((await head('copied.bin')).headers).toMatchObject({ 'content-type': 'x/y', 'x-amz-meta-b_c': '2' });
  });

  test('is in the activity as written, copied and deleted over S3', async () => {
    await put('d.txt');
    await exchange(gateway, {
      method: 'PUT',
      path: '/private/d.txt',
      headers: { 'x-amz-copy-source': '/public/d.txt' },
    });
    await exchange(gateway, { method: 'DELETE', path: '/public/d.txt' });
    const { activity } = (
      await gateway.server.send('/v1/account/activity?limit=3', { credential: gateway.account.credential })
    ).json().response;
    expect(activity.map(({ type, auth }: { type: string; auth: string }) => `${type} ${auth}`)).toEqual([
      'object.deleted s3',
      'object.copied s3',
      'object.uploaded s3',
    ]);
  });

  test('can have a key of at most 1000 bytes', async () => {
    const key = 'ü'.repeat(500);
    expect((await put(encodeURIComponent(key))).status).toBe(200);
    const answer = await put(`${encodeURIComponent(key)}x`);
    expect([answer.status, textsOf(answer.text, 'Code')[0], textsOf(answer.text, 'MaxSizeAllowed')[0]]).toEqual([
      400,
      'KeyTooLongError',
      '1000',
    ]);
  });
});
