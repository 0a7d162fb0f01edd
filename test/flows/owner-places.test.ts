import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { placesOfOwner } from '#server/domain/access/places.ts';
import { maxOpenS3Uploads } from '#server/features/s3/limits.ts';
import { exchange } from '#test/s3/exchange.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { s3UploadsHeld, sharesHeld } from '#test/support/filled-caps.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { signedIn } from '#test/support/sessions.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import type { Cap } from './cases.ts';

let server: TestServer;
const streams: AbortController[] = [];
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.abort();
});
afterAll(() => server.stop());

const post = (path: string, body?: unknown) => (credential: string) =>
  server.send(path, { method: 'POST', credential, ...(body !== undefined && { body: JSON.stringify(body) }) });

/** Opens a stream of events, and leaves it open. */
async function stream(credential: string): Promise<Pick<TestAnswer, 'status' | 'json'>> {
  const stop = new AbortController();
  streams.push(stop);
  const headers = { authorization: credential, accept: 'text/event-stream' };
  const response = await fetch(new URL('/v1/events', server.running.urls.api), { headers, signal: stop.signal });
  const text = response.ok ? '{}' : await response.text();
  return { status: response.status, json: () => JSON.parse(text) };
}

/** Opens a multipart upload over S3. The code is the REST API's for the same refusal. */
async function multipartUpload(credential: string): Promise<Pick<TestAnswer, 'status' | 'json'>> {
  const { status, text } = await exchange(await pairOf(server, credential), {
    method: 'POST',
    path: '/private/a.bin',
    query: { uploads: '' },
    signedAtMs: server.clock.now(),
  });
  const code = text.includes('<Code>TooManyMultipartUploads</Code>') ? 'TOO_MANY_OPEN_UPLOADS' : text;
  return { status, json: () => ({ code }) };
}

const caps: readonly Cap[] = [
  {
    name: 'active share links',
    code: 'TOO_MANY_SHARES',
    cap: 1000,
    scopes: ['blob:write'],
    take: post('/v1/shares', { prefix: 'photos' }),
    fill: sharesHeld,
  },
  {
    name: 'webhooks',
    code: 'TOO_MANY_WEBHOOKS',
    cap: 20,
    scopes: ['blob:read', 'blob:write'],
    take: post('/v1/webhooks', { url: 'https://example.com/hook' }),
  },
  {
    name: 'jobs over folders',
    code: 'TOO_MANY_FOLDER_JOBS',
    cap: 2,
    scopes: ['blob:write'],
    // The clock stands still, so no job begins.
    take: post('/v1/folders/jobs', { action: 'delete', prefix: 'builds' }),
  },
  {
    name: 'open chunked uploads',
    code: 'TOO_MANY_OPEN_UPLOADS',
    cap: 32,
    scopes: ['blob:write'],
    take: post('/v1/objects/chunked?name=a&filename=a.bin'),
  },
  {
    name: 'open uploads of tus',
    code: 'TOO_MANY_OPEN_UPLOADS',
    cap: 32,
    scopes: ['blob:write'],
    take: (credential) =>
      server.send('/v1/uploads', {
        method: 'POST',
        credential,
        headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3000', 'Upload-Metadata': 'name Yi50eHQ=' },
      }),
  },
  {
    name: 'open multipart uploads over S3',
    code: 'TOO_MANY_OPEN_UPLOADS',
    cap: maxOpenS3Uploads,
    scopes: ['blob:read', 'blob:write'],
    take: multipartUpload,
    fill: s3UploadsHeld,
  },
  { name: 'streams of events', code: 'TOO_MANY_EVENT_STREAMS', cap: 10, scopes: ['blob:read'], take: stream },
  ...(await partsOfFeatures('cases')).flatMap((own) => own.caps ?? []),
];

describe.each(caps)('of $cap $name', ({ code, cap, scopes, take, fill }) => {
  const kept = placesOfOwner(cap);
  const weakOf = (account: TestAccount) => server.key(account, { scopes });

  /** Takes places until this many are taken. */
  async function taken(account: TestAccount, credential: string, places: number): Promise<void> {
    for (let at = 0; at < (fill ? 1 : places); at++)
      expect((await take(credential, { server, account })).status).toBeLessThan(300);
    await fill?.(server, account, places);
  }

  it(`a key without full access leaves ${kept}, and one with full access fills them all`, async () => {
    const account = await server.account();
    const weak = await weakOf(account);
    await taken(account, weak, cap - kept);
    expect((await take(weak, { server, account })).json()).toMatchObject({ code });
    await taken(account, account.credential, fill ? cap - 1 : kept - 1);
    expect((await take(account.credential, { server, account })).status).toBeLessThan(300);
    expect((await take(account.credential, { server, account })).json()).toMatchObject({ code });
    expect((await take(weak, { server, account })).json()).toMatchObject({ code });
  });

  it('a key fills all if the account has none with full access', async () => {
    const account = await server.account();
    const weak = await weakOf(account);
    await server.running.app.stores.metadata.atomically((tx) => tx.apiKeys.revoke(account.keyId, tx.now));
    await taken(account, weak, cap - 1);
    expect((await take(weak, { server, account })).status).toBeLessThan(300);
    expect((await take(weak, { server, account })).json()).toMatchObject({ code });
  });
});

describe('sessions', () => {
  it('of one key end only sessions of the same key', async () => {
    const account = await server.account();
    const owner = await signedIn(server, account.credential);
    const weak = await server.key(account, { scopes: ['blob:read'] });
    const first = await signedIn(server, weak);
    server.clock.advance(1000);
    for (let at = 0; at < 50; at++) await signedIn(server, weak);
    expect((await owner.send('/v1/session')).status).toBe(200);
    expect((await first.send('/v1/session')).status).toBe(401);
  });
});

/** Codes of caps that no key can fill for others, and why. */
const others: Readonly<Record<string, string>> = {
  APIKEY_LIMIT_REACHED: 'only keys with full access make keys, and approve devices',
  TOO_MANY_CONCURRENT_UPLOADS: 'a place ends with its request, which the pace of bodies bounds',
  TOO_MANY_CONCURRENT_CHUNKS: 'a place ends with its request, which the pace of bodies bounds',
  TOO_MANY_OBJECTS: 'of one request',
  TOO_MANY_VERSIONS: 'of one request',
  TOO_MANY_RULES: 'of a list that every write replaces as a whole',
  concurrent_limit_reached:
    'the plans name one or two; a place ends within 90 seconds, and `ai` limits of a key slow it',
};

describe('every code of a cap', () => {
  it('is in the table above, or says why not', () => {
    const codes = Object.values(errors).flatMap((vocabulary) => Object.keys(vocabulary));
    const ofCaps = codes.filter((code) => /^TOO_MANY_|^APIKEY_LIMIT|^concurrent_limit/.test(code));
    const decided = new Set<string>([...caps.map(({ code }) => code), ...Object.keys(others)]);
    expect(ofCaps.filter((code) => !decided.has(code))).toEqual([]);
    expect([...decided].filter((code) => !ofCaps.includes(code))).toEqual([]);
  });
});
