import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange } from '#test/s3/exchange.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';

let gateway: Gateway;
let count = 0;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** Returns the headers of a file over S3. @param expire from now, as in REST */
async function headersOf(
  stored: Record<string, string>,
  { expire, query = {} }: { readonly expire?: string; readonly query?: Record<string, string> } = {},
) {
  const key = `file-${++count}.txt`;
  expect(
    (await exchange(gateway, { method: 'PUT', path: `/public/${key}`, body: 'content', headers: stored })).status,
  ).toBe(200);
  const path = `/public/${expire ? await expiring(key, expire) : key}`;
  const [get, head] = [
    await exchange(gateway, { path, query }),
    await exchange(gateway, { method: 'HEAD', path, query }),
  ];
  expect(get.status).toBe(200);
  expect(head.headers['cache-control']?.length).toBe(get.headers['cache-control']?.length);
  return get.headers;
}

async function expiring(key: string, expire: string): Promise<string> {
  const body = JSON.stringify({ object: `pub/${gateway.account.id}/${key}`, expire });
  const answer = await gateway.server.send('/v1/objects', {
    method: 'PATCH',
    credential: gateway.account.credential,
    body,
  });
  return answer.json().response.results[0].id.split('/').at(-1);
}

describe('GetObject of a file that expires', () => {
  it.each([
    ['public, max-age=31536000, immutable', /^public, max-age=3(600|59\d), immutable$/],
    ['private, max-age=60', /^private, max-age=60$/],
    ['max-age=86400, stale-while-revalidate=86400', /^max-age=3(600|59\d), stale-while-revalidate=0$/],
  ])('limits %s to the remaining life of the file', async (set, served) => {
    expect((await headersOf({ 'Cache-Control': set }, { expire: '1h' }))['cache-control']).toMatch(served);
  });

  it('limits Expires, and the caching headers in the query, to the remaining life of the file', async () => {
    const { expires, 'x-amz-expiration': end } = await headersOf(
      { Expires: 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { expire: '1h' },
    );
    expect(end).toContain(expires);
    const asked = await headersOf(
      {},
      {
        expire: '1h',
        query: { 'response-cache-control': 'max-age=31536000', 'response-expires': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      },
    );
    expect(asked['cache-control']).toMatch(/^max-age=3(600|59\d)$/);
    expect(asked.expires).not.toContain('2100');
  });
});

describe('GetObject of a file without an expiry', () => {
  it('returns the caching headers that its client set', async () => {
    const set = { 'Cache-Control': 'public, max-age=31536000, immutable', Expires: 'Fri, 01 Jan 2100 00:00:00 GMT' };
    const { expires, 'cache-control': caching } = await headersOf(set);
    expect([caching, expires]).toEqual([set['Cache-Control'], set.Expires]);
  });
});
