import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createUploadToken } from '#server/features/upload-tokens/create-upload-token.ts';
import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import { closing, fileHead, multipart, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { openRequest, rawSend, type OpenRequest, type RawRequest } from '#test/contract/bad-input/raw-request.ts';
import { chunking } from '#test/support/chunked.ts';
import { prefixes } from '#test/support/parsed.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

/*
 * The order of checks: unknown route or method → blocked address → credential → token, scope, resource, prefix →
 * account-wide and route limits → shape and fields → plan → the rest. Each test breaks two neighbouring rules at once.
 */

let server: TestServer;

/** An address that is blocked after too many failed credentials. */
const blocked = '203.0.113.1';

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true, env: { CUBBY_TRUSTED_PROXIES: 'loopback' } });
  for (let round = 0; round < 31; round++)
    await send({ path: '/v1/objects', credential: 'wrong', headers: { 'X-Forwarded-For': blocked } });
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

/** An account whose requests exceed the limits. */
async function exhausted(): Promise<TestAccount> {
  const account = await server.account('none');
  for (let round = 0; round < 6; round++) await send({ path: '/v1/objects/info', credential: account.credential });
  expect(await codeOf({ path: '/v1/objects/info', credential: account.credential })).toBe('RATE_LIMITED');
  return account;
}

const bodyOver1MiB = ' '.repeat(1_048_577);

describe('an unknown route or method comes before a blocked address', () => {
  it.each([
    ['NOT_FOUND', 'GET', '/v1/nothing'],
    ['NOT_FOUND', 'POST', '/v1/objects/'],
    ['NOT_FOUND', 'GET', '/V1/objects'],
    ['METHOD_NOT_ALLOWED', 'PUT', '/v1/objects'],
    ['METHOD_NOT_ALLOWED', 'POST', '/v1/objects/info'],
  ])('%s to %s %s', async (code, method, path) => {
    for (const credential of ['wrong', (await server.account()).credential]) {
      expect(await codeOf({ method, path, credential, headers: { 'X-Forwarded-For': blocked } })).toBe(code);
    }
  });
});

describe('a blocked address comes before the credential', () => {
  it.each([
    ['is wrong', 'wrong'],
    ['is missing', undefined],
  ])('which %s', async (_, credential) => {
    const answer = await send({
      path: '/v1/objects',
      ...(credential !== undefined && { credential }),
      headers: { 'X-Forwarded-For': blocked },
    });
    expect(answer.json().code).toBe('RATE_LIMITED');
    expect(answer.headers.get('retry-after')).toBe('300');
  });

  it('and before everything that follows', async () => {
    const account = await server.account('none');
    const request = upload('name=..', account, 'x', 'text/plain');
    expect(await codeOf({ ...request, headers: { ...request.headers, 'X-Forwarded-For': blocked } })).toBe(
      'RATE_LIMITED',
    );
  });
});

describe('the credential comes before the scope', () => {
  it('of a key that has expired and never had it', async () => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['apps:read'], lifetimeMs: 1 });
    const request = { path: '/v1/objects', credential };
    expect(await codeOf(request)).toBe('MISSING_SCOPE');
    server.clock.advance(1);
    expect(await codeOf(request)).toBe('ACCESS_DENIED');
  });

  it('and before the limits of its account', async () => {
    const account = await exhausted();
    const credential = await server.key(account, { scopes: ['*'], lifetimeMs: 1 });
    expect(await codeOf({ path: '/v1/objects', credential })).toBe('RATE_LIMITED');
    server.clock.advance(1);
    expect(await codeOf({ path: '/v1/objects', credential })).toBe('ACCESS_DENIED');
  });

  it('and before the body, which is too large or malformed', async () => {
    for (const body of [bodyOver1MiB, '['])
      expect(await codeOf({ method: 'DELETE', path: '/v1/objects', credential: 'wrong', body })).toBe('ACCESS_DENIED');
    expect(await codeOf(upload('name=..', { credential: 'wrong' }, 'x', 'text/plain'))).toBe('ACCESS_DENIED');
  });
});

describe('the scope comes before the prefix', () => {
  it.each([
    ['uploadObject', { method: 'POST', path: '/v1/objects?name=a&prefix=music' }],
    ['deleteObjects', { method: 'DELETE', path: '/v1/objects', body: '{"object":"pub/ID/music/a.png"}' }],
  ])('for %s', async (_, request) => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:read'], prefixes: ['photos'] });
    const body = 'body' in request ? request.body.replace('ID', account.id) : undefined;
    expect(await codeOf({ ...request, body, credential })).toBe('MISSING_SCOPE');
  });

  it.each(['/v1/objects?prefix=music', '/v1/objects', '/v1/objects/info?object=pub/ID/music/a.png'])(
    'for %s',
    async (path) => {
      const account = await server.account();
      const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['photos'] });
      expect(await codeOf({ path: path.replace('ID', account.id), credential })).toBe('MISSING_SCOPE');
    },
  );
});

describe('of share links', () => {
  const create = (credential: string, body: unknown): RawRequest => ({
    method: 'POST',
    path: '/v1/shares',
    credential,
    body: JSON.stringify(body),
  });
  const list = (credential: string): RawRequest => ({ path: '/v1/shares', credential });

  it('scope and prefix come before the limits, these before the fields', async () => {
    const account = await server.account('standard');
    const scoped = await server.key(account, { scopes: ['blob:read'], prefixes: ['photos'] });
    const restricted = await server.key(account, { scopes: ['blob:write'], prefixes: ['photos'] });
    const outside = { object: `prv/${account.id}/music/a.mp3`, expires_in: 1 };
    for (let round = 0; round < 30; round++)
      expect(await codeOf(create(account.credential, {}))).toBe('INVALID_OBJECT');
    expect(await codeOf(create(scoped, outside))).toBe('MISSING_SCOPE');
    expect(await codeOf(create(restricted, outside))).toBe('PREFIX_NOT_ALLOWED');
    expect(await codeOf(create(account.credential, []))).toBe('RATE_LIMITED');
    for (let round = 0; round < 20; round++) expect((await send(list(account.credential))).status).toBe(200);
    expect(await codeOf(list(restricted))).toBe('MISSING_SCOPE');
    expect(await codeOf(list(scoped))).toBe('RATE_LIMITED');
  });

  it('the fields come before the plan, and the plan before the stored state', async () => {
    const account = await server.account('standard');
    const object = `prv/${account.id}/missing.png`;
    const password = 'correct horse';
    expect(await codeOf(create(account.credential, { object, password, expires_in: 1 }))).toBe('INVALID_EXPIRES_IN');
    expect(await codeOf(create(account.credential, { object: 'prv/204815162342108999/a.png', password }))).toBe(
      'INVALID_OBJECT',
    );
    expect(await codeOf(create(account.credential, { object, password: 'line\nbreak' }))).toBe('INVALID_PASSWORD');
    expect(await codeOf(create(account.credential, { object, password }))).toBe('UPGRADE_REQUIRED');
    expect(await codeOf(create(account.credential, { object }))).toBe('OBJECT_NOT_FOUND');
  });
});

describe('scope and prefix come before the limits', () => {
  it.each([
    ['MISSING_SCOPE', { scopes: ['apps:read'] }, 'GET', '/v1/objects', undefined],
    ['MISSING_SCOPE', { scopes: ['apps:read'] }, 'POST', '/v1/objects?name=a', 'x'],
    ['PREFIX_REQUIRED', { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] }, 'GET', '/v1/objects', undefined],
    [
      'PREFIX_NOT_ALLOWED',
      { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] },
      'GET',
      '/v1/objects?prefix=music',
      undefined,
    ],
    [
      'PREFIX_NOT_ALLOWED',
      { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] },
      'GET',
      '/v1/objects/info?object=pub/ID/music/a.png',
      undefined,
    ],
    [
      'PREFIX_NOT_ALLOWED',
      { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] },
      'POST',
      '/v1/objects?name=a',
      'x',
    ],
    [
      'PREFIX_NOT_ALLOWED',
      { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] },
      'DELETE',
      '/v1/objects',
      '{"objects":["pub/ID/photos/a.png","pub/ID/music/a.png"]}',
    ],
  ] as const)('%s of a key with %j, asking for %s %s', async (code, key, method, path, body) => {
    const account = await exhausted();
    const credential = await server.key(account, key);
    expect(
      await codeOf({
        method,
        path: path.replaceAll('ID', account.id),
        credential,
        body: body?.replaceAll('ID', account.id),
      }),
    ).toBe(code);
  });

  it.each([
    ['PUT', (upload: string) => ({ path: `/v1/objects/chunked?upload=${upload}&part=0&checksum_sha256=x` })],
    ['GET', (upload: string) => ({ path: `/v1/objects/chunked?upload=${upload}` })],
    [
      'PATCH',
      (upload: string) => ({ path: '/v1/objects/chunked', body: JSON.stringify({ upload, checksum_sha256: 7 }) }),
    ],
    ['DELETE', (upload: string) => ({ path: '/v1/objects/chunked', body: JSON.stringify({ upload }) })],
  ] as const)('PREFIX_NOT_ALLOWED to %s of a chunked upload outside', async (method, request) => {
    const account = await server.account('none');
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setPlan(account.id, 'hobby'));
    const upload = await chunking(() => server).open(account, { name: 'song', prefix: 'music' });
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setPlan(account.id, 'none'));
    for (let round = 0; round < 6; round++) await send({ path: '/v1/objects/info', credential: account.credential });
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['photos'] });
    expect(await codeOf({ method, ...request(upload), credential })).toBe('PREFIX_NOT_ALLOWED');
  });

  it('and the limits before an invalid id, which has no prefix', async () => {
    const account = await exhausted();
    const credential = await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] });
    expect(await codeOf({ path: '/v1/objects/info?object=x', credential })).toBe('RATE_LIMITED');
  });
});

/** A token of an account that may be over its limits. It is made without regard to limits and plan. */
async function tokenOf(
  { id, keyId }: TestAccount,
  pins: PinnedOptions = {},
  { lifetimeMs = 900_000, isUsed = false } = {},
): Promise<string> {
  const { stores } = server.running.app;
  const [account, key] = await Promise.all([
    stores.metadata.read.accounts.find(id),
    stores.metadata.read.apiKeys.find(keyId),
  ]);
  const { token, credential } = await createUploadToken(stores, {
    account: account!,
    key: key!,
    pins,
    lifetimeMs,
    maxUses: 1,
  });
  if (isUsed) await stores.metadata.atomically((tx) => tx.uploadTokens.spend(token.id));
  return credential;
}

describe('of an upload token', () => {
  const evil = { Origin: 'https://evil.example' };
  const pins: PinnedOptions = { prefix: prefixes('photos')[0]!, allowedOrigins: ['https://app.example'] };
  /** An upload that breaks every later rule. */
  const wrong = (credential: string, headers: Readonly<Record<string, string>> = evil): RawRequest => ({
    method: 'POST',
    path: '/v1/objects?name=..&prefix=music',
    credential,
    headers,
    body: 'x',
  });

  it('its end comes before its uses, and both before origin, prefix, limits and fields', async () => {
    const account = await exhausted();
    const [used, both] = [
      await tokenOf(account, pins, { isUsed: true }),
      await tokenOf(account, pins, { isUsed: true, lifetimeMs: 1 }),
    ];
    server.clock.advance(1);
    expect([await codeOf(wrong(both)), await codeOf(wrong(used))]).toEqual(['ACCESS_DENIED', 'UPLOAD_TOKEN_USED']);
  });

  it('its disallowed operations come before the scope, the limits and the body', async () => {
    const account = await exhausted();
    const credential = await tokenOf(account, pins);
    for (const request of [
      { path: '/v1/objects' },
      { path: '/v1/account/keys' },
      { method: 'DELETE', path: '/v1/objects', body: '[' },
    ])
      expect(await codeOf({ ...request, credential, headers: evil })).toBe('UPLOAD_TOKEN_NOT_ALLOWED');
  });

  it('the origin comes before the prefix, the prefix before the limits, these before the fields', async () => {
    const credential = await tokenOf(await exhausted(), pins);
    expect(await codeOf(wrong(credential))).toBe('ORIGIN_NOT_ALLOWED');
    expect(await codeOf(wrong(credential, {}))).toBe('PREFIX_NOT_ALLOWED');
    expect(await codeOf({ ...wrong(credential, {}), path: '/v1/objects?name=..' })).toBe('RATE_LIMITED');
  });

  it('the fields come before the plan', async () => {
    const account = await server.account('none');
    expect(await codeOf({ ...upload('name=..', account), credential: await tokenOf(account) })).toBe(
      'INVALID_OBJECT_NAME',
    );
    server.clock.advance(1000);
    expect(await codeOf({ ...upload('name=a', account), credential: await tokenOf(account) })).toBe(
      'PERMISSION_DENIED',
    );
  });

  it('when it is minted: prefix before fields, these before the plan, the plan before its options', async () => {
    const account = await server.account('none');
    const restricted = await server.key(account, { scopes: ['blob:write'], prefixes: ['photos'] });
    const mint = (body: unknown, credential = account.credential) =>
      codeOf({ method: 'POST', path: '/v1/upload-tokens', credential, body: JSON.stringify(body) });
    expect(await mint({ prefix: 'music', max_uses: 0 }, restricted)).toBe('PREFIX_NOT_ALLOWED');
    expect(await mint({ metadata: {}, security_hash: false })).toBe('INVALID_OBJECT_SECURITY_HASH');
    expect(
      await mint({
        metadata: {},
        allowed_origins: Array.from({ length: 10 }, (_, at) => `https://${`${at}`.repeat(200)}.example`),
      }),
    ).toBe('UPLOAD_TOKEN_TOO_LARGE');
    expect(await mint({ metadata: {}, expire: '6h' })).toBe('PERMISSION_DENIED');
  });
});

describe('scope and prefix come before the fields', () => {
  it.each([
    ['an outer prefix before a wrong name', 'POST', '/v1/objects?name=..&prefix=music', undefined],
    ['a missing prefix before a wrong name', 'POST', '/v1/objects?name=..', undefined],
    ['an outer prefix before a wrong limit', 'GET', '/v1/objects?prefix=music&limit=0', undefined],
    ['an outer prefix that is given a second time', 'GET', '/v1/objects?prefix=photos&prefix=music', undefined],
    ['an outer id before an invalid id', 'DELETE', '/v1/objects', '{"objects":["x","pub/ID/music/a.png"]}'],
    [
      'an outer id before a list of another type',
      'DELETE',
      '/v1/objects',
      '{"object":"pub/ID/music/a.png","objects":7}',
    ],
    [
      'an outer id before one over 100',
      'DELETE',
      '/v1/objects',
      JSON.stringify({ objects: Array(101).fill('pub/ID/music/a.png') }),
    ],
  ])('%s', async (_, method, path, body) => {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['photos'] });
    expect(await codeOf({ method, path, credential, body: body?.replaceAll('ID', account.id) })).toBe(
      'PREFIX_NOT_ALLOWED',
    );
  });
});

describe('the limits come before shape and fields', () => {
  it.each([
    ['a wrong parameter', 'GET', '/v1/objects?limit=0', undefined],
    ['a missing parameter', 'GET', '/v1/objects/info', undefined],
    ['an id of another account', 'GET', '/v1/objects/info?object=pub/123456789012345678/a', undefined],
    ['a malformed body', 'DELETE', '/v1/objects', '['],
    ['a body that is too large', 'DELETE', '/v1/objects', bodyOver1MiB],
    ['101 files', 'DELETE', '/v1/objects', JSON.stringify({ objects: Array(101).fill('x') })],
    ['a wrong name', 'POST', '/v1/objects?name=..', undefined],
    ['a body that is not a form', 'POST', '/v1/objects?name=a', 'x'],
  ])('of %s', async (_, method, path, body) => {
    const { credential } = await exhausted();
    expect(await codeOf({ method, path, credential, body })).toBe('RATE_LIMITED');
  });

  it('and the rate before the places for uploads, and these before shape and fields', async () => {
    const account = await server.account('hobby');
    const held: OpenRequest[] = [];
    for (let round = 0; round < 4; round++) {
      server.clock.advance(1000);
      const request = openRequest(server, {
        ...upload('name=held', account),
        headers: { 'Content-Type': multipartType, Expect: '100-continue', 'Transfer-Encoding': 'chunked' },
      });
      request.wire.flushHeaders();
      await once(request.wire, 'continue');
      held.push(request);
    }
    expect(await codeOf(upload('name=..', account, 'x'))).toBe('RATE_LIMITED');
    server.clock.advance(1000);
    expect(await codeOf(upload('name=..', account, 'x', 'text/plain'))).toBe('TOO_MANY_CONCURRENT_UPLOADS');
    for (const { wire } of held) wire.end(fileHead() + smallest.toString() + closing);
    for (const { answer } of held) expect((await answer).status).toBe(200);
  });
});

describe('parameters come before the body', () => {
  it('of an upload that is not a form', async () => {
    const account = await server.account();
    expect(await codeOf(upload('name=..', account, 'x', 'text/plain'))).toBe('INVALID_OBJECT_NAME');
    expect(await codeOf(upload('name=a&expire=1y', account, sentAs('; filename="a.exe"')))).toBe(
      'INVALID_OBJECT_EXPIRE',
    );
  });
});

const sentAs = (disposition: string) =>
  multipart(smallest, fileHead({ disposition: `form-data; name="file"${disposition}` }));
