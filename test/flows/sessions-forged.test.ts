import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { sameOrigin, signedIn, signedInOperator, type SignedIn } from '#test/support/sessions.ts';

let server: TestServer;
let mine: SignedIn;
let credential: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ credential } = await server.account());
  mine = await signedIn(server, credential);
});
afterAll(() => server.stop());

const create = (headers: Readonly<Record<string, string>>) =>
  server.send('/v1/account/keys', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'forged', scopes: ['blob:read'] }),
  });
const keyCount = async () =>
  (await server.send('/v1/account/keys', { credential })).json().response.keys.length as number;

describe('a request with the cookie of a session', () => {
  const foreign: ReadonlyArray<Readonly<Record<string, string>>> = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://evil.invalid' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.invalid' },
  ];

  it.each(foreign)('from another page (%o) changes nothing and reads nothing, even with the token', async (source) => {
    const before = await keyCount();
    const headers = { Cookie: mine.cookie, 'X-Cubby-CSRF': mine.csrf, ...source };
    const answer = await create(headers);
    expect([answer.status, answer.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    const read = await server.send('/v1/objects', { headers });
    expect([read.status, read.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    expect(await keyCount()).toBe(before);
  });

  it('without the token of this session changes nothing', async () => {
    const other = await signedIn(server, credential);
    const before = await keyCount();
    const id = mine.cookie.split('=')[1]!;
    const wrong = ['', 'x', other.csrf, id, id.split('.')[1]!, `${mine.csrf}a`, mine.csrf.slice(0, -1)];
    for (const token of [undefined, ...wrong]) {
      const answer = await create({
        Cookie: mine.cookie,
        ...sameOrigin,
        ...(token !== undefined && { 'X-Cubby-CSRF': token }),
      });
      expect([answer.status, answer.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(
        (await server.send('/v1/objects', { method, headers: { Cookie: mine.cookie, ...sameOrigin } })).status,
      ).not.toBe(200);
    expect(await keyCount()).toBe(before);
  });

  it('needs no token to read, and is taken from a program that sends no headers of a browser', async () => {
    expect((await server.send('/v1/objects', { headers: { Cookie: mine.cookie, ...sameOrigin } })).status).toBe(200);
    expect((await server.send('/v1/objects', { headers: { Cookie: mine.cookie } })).status).toBe(200);
    const own = { Cookie: mine.cookie, Origin: new URL(server.running.urls.api).origin };
    expect((await create({ ...own, 'X-Cubby-CSRF': mine.csrf })).status).toBe(200);
    expect((await create(own)).json().code).toBe('CSRF_TOKEN_INVALID');
  });

  it("reads nothing with another session's token, so a page never shows what a later sign-in may see", async () => {
    const other = await signedIn(server, (await server.account()).credential);
    for (const token of [other.csrf, '', 'x']) {
      const headers = { Cookie: mine.cookie, ...sameOrigin, 'X-Cubby-CSRF': token };
      const answer = await server.send('/v1/objects', { headers });
      expect([answer.status, answer.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    }
    expect((await mine.send('/v1/objects')).status).toBe(200);
    expect((await mine.send('/v1/session')).json().response.csrf_token).toBe(mine.csrf);
  });

  it('is refused before its body is read, for uploads too', async () => {
    const answer = await server.send('/v1/objects?name=a.txt', {
      method: 'POST',
      headers: { Cookie: mine.cookie, ...sameOrigin },
      body: formWith(someBytes()),
    });
    expect([answer.status, answer.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    expect((await server.send('/v1/objects', { credential })).json().response.objects).toEqual([]);
  });

  it('says so in the form of each protocol', async () => {
    const headers = { Cookie: mine.cookie, ...sameOrigin, 'Content-Type': 'application/json' };
    const chat = await server.send('/v2/ai/chat/completions', { method: 'POST', headers, body: '{}' });
    expect([chat.status, chat.json().error.code]).toEqual([403, 'csrf_token_invalid']);
    const messages = await server.send('/v2/ai/messages', { method: 'POST', headers, body: '{}' });
    expect([messages.status, messages.json().error.code]).toEqual([403, 'csrf_token_invalid']);
  });

  it('is never readable for a page of another origin: no response allows credentials', async () => {
    for (const headers of [
      { Cookie: mine.cookie, ...sameOrigin },
      { Cookie: mine.cookie, Origin: 'https://evil.invalid' },
    ]) {
      const answer = await server.send('/v1/session', { headers: headers as Record<string, string> });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    const preflight = await server.send('/v1/account/keys', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://evil.invalid',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-cubby-csrf',
      },
    });
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });
});

describe('a forged cookie', () => {
  it('opens nothing, and counts as a wrong credential', async () => {
    const [name, value] = mine.cookie.split('=') as [string, string];
    const [secret, signature] = value.split('.') as [string, string];
    const operator = await signedInOperator(server, await server.operatorKey());
    const forged = [
      '',
      secret,
      `${secret}.`,
      `${secret}.${'A'.repeat(signature.length)}`,
      `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}.${signature}`,
      `${secret}.${signature}.x`,
      mine.id,
      operator.cookie.split('=')[1]!,
      'x'.repeat(5000),
    ];
    for (const one of forged) {
      const answer = await server.send('/v1/session', { headers: { Cookie: `${name}=${one}`, ...sameOrigin } });
      expect([answer.status, answer.json().code]).toEqual([401, 'ACCESS_DENIED']);
    }
    // Another name, as a neighbouring host could set it, is no session.
    const renamed = await server.send('/v1/session', { headers: { Cookie: `cubby_console=${value}` } });
    expect(renamed.status).toBe(401);
    const activation = await server.send('/v1/session', { headers: { Cookie: `cubby_session=${value}` } });
    expect(activation.status).toBe(401);
  });

  it('of a session of one account never reaches another', async () => {
    const theirs = await server.account();
    const other = await signedIn(server, theirs.credential);
    await other.send('/v1/objects?name=theirs.txt', { method: 'POST', body: formWith(someBytes()) });
    expect((await mine.send('/v1/objects')).json().response.objects).toEqual([]);
    expect((await mine.send('/v1/session')).json().response.account.id).not.toBe(theirs.id);
    const crossed = await server.send('/v1/account/keys', {
      method: 'POST',
      headers: { ...sameOrigin, Cookie: mine.cookie, 'X-Cubby-CSRF': other.csrf },
      body: JSON.stringify({ name: 'a', scopes: ['blob:read'] }),
    });
    expect(crossed.json().code).toBe('CSRF_TOKEN_INVALID');
  });
});

describe('the cookie', () => {
  it('is ignored by the hosts of files, links, S3 and the operator', async () => {
    const headers = { Cookie: mine.cookie, 'X-Cubby-CSRF': mine.csrf, ...sameOrigin };
    expect((await server.send('/', { door: 's3', headers })).status).toBe(403);
    expect((await server.send('/204815162342108999/a.txt', { door: 'public', headers })).status).toBe(404);
    expect((await server.send('/d/unknown', { door: 'files', headers })).status).toBe(404);
    const operator = await server.send('/v2/operator/accounts', { door: 'operator', headers });
    expect(operator.status).toBe(401);
  });
});

describe('every operation that takes a key', () => {
  const sessionOf = { apiKey: 'consoleSession', operatorKey: 'operatorSession' } as const;

  it('takes the session in its place, with the token unless it only reads, and no other does', () => {
    for (const [id, { credentials, method }] of Object.entries(policies)) {
      const keys = credentials.filter((one): one is keyof typeof sessionOf => one in sessionOf);
      const sessions = credentials.filter((one) => one.endsWith('Session'));
      expect([id, sessions]).toEqual([id, keys.map((one) => sessionOf[one])]);
      expect([id, credentials.includes('csrfToken')]).toEqual([id, sessions.length > 0 && method !== 'get']);
    }
  });

  it('refuses a request of another page before anything else', async () => {
    const operator = await signedInOperator(server, await server.operatorKey());
    for (const id of Object.keys(policies) as OperationId[]) {
      const { credentials, method, path, door } = policies[id];
      const kind = credentials.includes('consoleSession')
        ? mine
        : credentials.includes('operatorSession')
          ? operator
          : undefined;
      if (!kind) continue;
      const target = path.replaceAll(/\{[^}]+\}/g, '204815162342108999');
      const response = await fetch(server.running.urls[door as 'api' | 'operator'] + target, {
        method: method.toUpperCase(),
        headers: { Cookie: kind.cookie, 'X-Cubby-CSRF': kind.csrf, 'Sec-Fetch-Site': 'cross-site' },
      });
      expect([id, response.status]).toEqual([id, 403]);
      expect((await response.text()).toLowerCase()).toContain('csrf_token_invalid');
    }
  });
});
