import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange, textsOf, type S3Answer } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** The gateway's own host name is `localhost` here. */
function at(
  host: string,
  method: string,
  path: string,
  more: { readonly query?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<S3Answer> {
  return exchange(gateway, { method, path, headers: { host }, ...more });
}

describe('virtual-host style', () => {
  it('reads the bucket from the host', async () => {
    expect((await at('private.localhost', 'PUT', '/a/b.txt', { body: 'words' })).status).toBe(200);
    expect((await at('private.localhost', 'GET', '/a/b.txt')).text).toBe('words');
    expect((await at('PRIVATE.localhost:7403', 'GET', '/a/b.txt')).text).toBe('words');
    expect(textsOf((await at('private.localhost', 'GET', '/', { query: { 'list-type': '2' } })).text, 'Key')).toEqual([
      'a/b.txt',
    ]);
    expect((await at('localhost', 'GET', '/private/a/b.txt')).text).toBe('words');
    expect((await at('other.localhost', 'GET', '/a/b.txt')).text).toContain('<Code>NoSuchBucket</Code>');
  });

  it('reads the bucket from the path for any other host name', async () => {
    expect(textsOf((await at('localhost', 'GET', '/')).text, 'Name')).toHaveLength(3);
    expect((await at('127.0.0.1', 'GET', '/private', { query: { location: '' } })).status).toBe(200);
    expect((await at('s3.example.com', 'GET', '/private/a/b.txt')).text).toBe('words');
  });
});
