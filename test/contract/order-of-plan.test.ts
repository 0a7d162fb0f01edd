import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fileHead, multipart, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { openRequest, rawSend, type RawRequest } from '#test/contract/bad-input/raw-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

/** The last of the checks: shape and fields → plan → the rest. @see order-of-refusal.test.ts */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rateLimits: true });
});
afterAll(() => server.stop());

const send = (request: RawRequest) => rawSend(server, request);
const codeOf = async (request: RawRequest): Promise<string> => (await send(request)).json().code;

const upload = (
  query: string,
  { credential }: Pick<TestAccount, 'credential'>,
  body: RawRequest['body'] = multipart(smallest),
  type = multipartType,
): RawRequest => ({
  method: 'POST',
  path: `/v1/objects?${query}`,
  credential,
  headers: { 'Content-Type': type },
  body,
});

interface WrongField {
  readonly code: string;
  readonly query: string;
  readonly body?: Uint8Array | string;
  readonly type?: string;
}

const sentAs = (disposition: string) =>
  multipart(smallest, fileHead({ disposition: `form-data; name="file"${disposition}` }));

/** All parts of an upload that shape and field checks reject without its bytes, for any account. */
const wrongFields: readonly WrongField[] = [
  { code: 'INVALID_OBJECT_NAME', query: 'name=..' },
  { code: 'INVALID_OBJECT_NAME', query: '' },
  { code: 'INVALID_OBJECT_PREFIX', query: 'name=a&prefix=..' },
  { code: 'INVALID_OBJECT_PRIVATE', query: 'name=a&private=x' },
  { code: 'INVALID_OBJECT_SECURITY_HASH', query: 'name=a&security_hash=x' },
  { code: 'INVALID_OBJECT_SECURITY_HASH', query: 'name=a&private=true&security_hash=false' },
  { code: 'INVALID_OBJECT_EXPIRE', query: 'name=a&expire=1y' },
  { code: 'INVALID_OBJECT_EXPIRE', query: 'name=a&expire=1826' },
  { code: 'INVALID_OBJECT_EXPIRE', query: 'name=a&expire=43801h' },
  { code: 'INVALID_OVERWRITE', query: 'name=a&overwrite=x' },
  { code: 'INVALID_OBJECT_DISPOSITION', query: 'name=a&disposition=x' },
  { code: 'INVALID_STORAGE_AUTO_DOWNLOAD', query: 'name=a&auto_download=x' },
  { code: 'INVALID_OBJECT_CACHE_CONTROL', query: 'name=a&cache_control=x' },
  { code: 'INVALID_OBJECT_CACHE_CONTROL', query: 'name=a&cache_control=max-age=59' },
  { code: 'INVALID_OBJECT_METADATA', query: 'name=a&metadata=x' },
  { code: 'INVALID_OBJECT_METADATA', query: 'name=a&metadata=%7B%22A%22:%22b%22%7D' },
  { code: 'INVALID_CHECKSUM', query: 'name=a&checksum_sha256=x' },
  { code: 'INVALID_CONTENT_TYPE', query: 'name=a', body: 'x', type: 'text/plain' },
  { code: 'INVALID_FILE', query: 'name=a&prefix=b', body: sentAs('') },
  { code: 'INVALID_FILE_TYPE', query: 'name=a', body: sentAs('; filename="a.b-c"') },
  { code: 'BLOCKED_FILE_TYPE', query: 'name=a', body: sentAs('; filename="a.exe"') },
];

describe('shape and fields come before the plan', () => {
  it.each(wrongFields)('$code to "$query" in an account without a plan', async ({ code, query, body, type }) => {
    expect(await codeOf(upload(query, await server.account('none'), body, type))).toBe(code);
  });

  it.each(wrongFields.filter(({ query }) => !/metadata|expire/.test(query)))(
    '$code to "$query" with options that the plan does not include',
    async ({ code, query, body, type }) => {
      expect(
        await codeOf(
          upload(`${query}&metadata=%7B%22a%22:%22b%22%7D&expire=6h`, await server.account('hobby'), body, type),
        ),
      ).toBe(code);
    },
  );

  it.each([
    ['INVALID_OBJECT', { source: 'x' }],
    ['INVALID_OBJECT', { source: 'pub/123456789012345678/a.png' }],
    ['INVALID_OBJECT_EXPIRE', { destination: { name: 'a', expire: 'never' } }],
    ['INVALID_OBJECT_SECURITY_HASH', { destination: { name: 'a', private: true, security_hash: false } }],
    [
      'INVALID_OBJECT_SECURITY_HASH',
      { source: 'prv/ID/missing.png', destination: { name: 'a', security_hash: false } },
    ],
  ])('%s to a copy with %j in an account without a plan', async (code, wrong) => {
    const { id, credential } = await server.account('none');
    const body = JSON.stringify({ source: 'pub/ID/missing.png', destination: { name: 'a' }, ...wrong }).replaceAll(
      'ID',
      id,
    );
    expect(await codeOf({ method: 'POST', path: '/v1/objects/copy', credential, body })).toBe(code);
  });

  it('FILE_TOO_LARGE by the headers, in an account without a plan', async () => {
    const { credential } = await server.account('none');
    const { wire, answer } = openRequest(server, {
      method: 'POST',
      path: '/v1/objects?name=a',
      credential,
      headers: { 'Content-Type': multipartType, 'Content-Length': '200000000' },
    });
    wire.write(fileHead());
    expect((await answer).json().code).toBe('FILE_TOO_LARGE');
    wire.destroy();
  });

  it('and the plan before checks that need the bytes, so that nobody sends 100 MB to learn about a plan', async () => {
    const none = await server.account('none');
    expect(await codeOf(upload('name=a', none, multipart(Buffer.alloc(1))))).toBe('PERMISSION_DENIED');
    server.clock.advance(1000);
    expect(await codeOf(upload(`name=a&checksum_sha256=${'0'.repeat(64)}`, none))).toBe('PERMISSION_DENIED');
  });
});

describe('the plan itself', () => {
  it('is checked for uploads before it is checked for their options', async () => {
    for (const option of ['metadata=%7B%7D', 'expire=6h', 'cache_control=no-cache']) {
      expect(await codeOf(upload(`name=a&${option}`, await server.account('none')))).toBe('PERMISSION_DENIED');
    }
  });
});

describe('the plan comes before the rest', () => {
  it('UPGRADE_REQUIRED before OBJECT_ALREADY_EXISTS', async () => {
    const account = await server.account('hobby');
    expect((await send(upload('name=there&expire=7d', account))).status).toBe(200);
    server.clock.advance(1000);
    expect(await codeOf(upload('name=there&expire=7d&overwrite=false', account))).toBe('OBJECT_ALREADY_EXISTS');
    server.clock.advance(1000);
    expect(await codeOf(upload('name=there&expire=7d&overwrite=false&cache_control=no-cache', account))).toBe(
      'UPGRADE_REQUIRED',
    );
  });

  it('UPGRADE_REQUIRED before STORAGE_QUOTA_EXCEEDED and CHECKSUM_MISMATCH', async () => {
    const account = await server.account('hobby');
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 0));
    expect(await codeOf(upload('name=a', account))).toBe('STORAGE_QUOTA_EXCEEDED');
    server.clock.advance(1000);
    expect(await codeOf(upload('name=a&expire=6h', account, multipart(Buffer.alloc(100_000))))).toBe(
      'UPGRADE_REQUIRED',
    );
    server.clock.advance(1000);
    expect(await codeOf(upload(`name=a&expire=6h&checksum_sha256=${'0'.repeat(64)}`, account))).toBe(
      'UPGRADE_REQUIRED',
    );
  });

  it('PERMISSION_DENIED before STORAGE_QUOTA_EXCEEDED, which an account without a plan always meets', async () => {
    expect(await codeOf(upload('name=a', await server.account('none'), multipart(Buffer.alloc(100_000))))).toBe(
      'PERMISSION_DENIED',
    );
  });
});

describe('shape and fields come before the stored state', () => {
  it('INVALID_OBJECT before OBJECT_NOT_FOUND in a batch', async () => {
    const { id, credential } = await server.account();
    const body = JSON.stringify({ objects: [`pub/${id}/none.png`, 'x'] });
    expect(await codeOf({ method: 'DELETE', path: '/v1/objects', credential, body })).toBe('INVALID_OBJECT');
  });

  it('OBJECT_ALREADY_EXISTS before STORAGE_QUOTA_EXCEEDED, which needs the bytes', async () => {
    const account = await server.account('pro');
    expect((await send(upload('name=there', account))).status).toBe(200);
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 600));
    expect(await codeOf(upload('name=there&overwrite=false', account, multipart(Buffer.alloc(100_000))))).toBe(
      'OBJECT_ALREADY_EXISTS',
    );
  });
});
