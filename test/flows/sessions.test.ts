import { beforeAll, afterAll, describe, expect, it } from 'vitest';

import { deleteAccount, suspendAccount } from '#server/domain/account/close-account.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { failedCredentials } from '#server/domain/limits.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { sameOrigin, signedIn } from '#test/support/sessions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const exchange = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  server.send('/v1/sessions', { method: 'POST', headers, body: JSON.stringify(body) });

const codeOf = async (answer: Promise<{ json(): any }>) => (await answer).json().code;

describe('a sign-in', () => {
  it('answers who is signed in and sets a cookie that only this host gets and no script reads', async () => {
    const account = await server.account('pro');
    const answer = await exchange({ api_key: account.credential });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const cookie = answer.headers.get('Set-Cookie')!;
    expect(cookie).toMatch(/^__Host-cubby_console=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    const { response } = answer.json();
    expect(response).toMatchObject({
      id: expect.stringMatching(/^ses_[a-z2-7]{26}$/),
      account: { id: account.id, name: 'pro account', plan: 'pro' },
      key: { id: account.keyId, last4: account.credential.slice(-4) },
      scopes: ['*'],
      prefixes: null,
      resources: null,
      created_at: new Date(server.clock.now()).toISOString(),
      expires_at: new Date(server.clock.now() + 12 * 3_600_000).toISOString(),
    });
    expect(response.csrf_token).toMatch(/^[\w-]{20,}$/);
    expect(answer.body.toString()).not.toContain(account.credential);
    expect(cookie).not.toContain(response.csrf_token);
  });

  it('lasts 30 days with `remember`, and not longer than its key', async () => {
    const account = await server.account();
    const remembered = await exchange({ api_key: account.credential, remember: true });
    expect(remembered.headers.get('Set-Cookie')).toContain('; Max-Age=2592000;');
    expect(Date.parse(remembered.json().response.expires_at)).toBe(server.clock.now() + 30 * 86_400_000);
    const expiresAt = server.clock.now() + 3_600_000;
    const short = await server.key(account, { scopes: ['blob:read'], lifetimeMs: 3_600_000 });
    expect(Date.parse((await exchange({ api_key: short })).json().response.expires_at)).toBe(expiresAt);
  });

  it('is refused for a wrong key, an upload token, an operator key and a body of another form', async () => {
    const { credential } = await server.account();
    const token = await server.send('/v1/upload-tokens', { method: 'POST', credential, body: '{}' });
    const wrong = ['cbk_wrong', '', token.json().response.token, await server.operatorKey(), `${credential}x`];
    for (const key of wrong.filter(Boolean)) {
      const answer = await exchange({ api_key: key });
      expect([answer.status, answer.json().code, answer.headers.get('Set-Cookie')]).toEqual([
        401,
        'ACCESS_DENIED',
        null,
      ]);
    }
    for (const body of [{}, [], { api_key: 5 }, { api_key: '' }, { api_key: credential, remember: 'yes' }])
      expect(await codeOf(exchange(body))).toBe('INVALID_BODY');
  });

  it('is refused for a page of another site, with any key', async () => {
    const { credential } = await server.account();
    const foreign = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.invalid' },
    ];
    for (const headers of foreign) {
      const answer = await exchange({ api_key: credential }, headers as Record<string, string>);
      expect([answer.status, answer.json().code, answer.headers.get('Set-Cookie')]).toEqual([
        403,
        'CSRF_TOKEN_INVALID',
        null,
      ]);
    }
  });

  it('counts wrong keys with all wrong credentials of the address', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const { credential } = await limited.account();
    const send = (path: string, request = {}) => limited.send(path, request);
    const wrong = () => send('/v1/sessions', { method: 'POST', body: JSON.stringify({ api_key: 'cbk_wrong' }) });
    // The limit of sign-ins of an address is in a window of its own.
    for (let tries = 0; tries < 15; tries++) expect((await wrong()).status).toBe(401);
    for (let tries = 15; tries < failedCredentials.limit; tries++)
      expect((await send('/v1/objects', { credential: 'cbk_wrong' })).status).toBe(401);
    expect((await wrong()).status).toBe(429);
    expect((await send('/v1/objects', { credential })).status).toBe(429);
  });

  it('says that https is needed where browsers would drop the cookie', async () => {
    const plain = await startTestServer({ env: { CUBBY_API_URL: 'http://files.example.invalid' } });
    const { credential } = await plain.account();
    const answer = await fetch(`http://127.0.0.1:${plain.running.ports.api}/v1/sessions`, {
      method: 'POST',
      body: JSON.stringify({ api_key: credential }),
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'HTTPS_REQUIRED']);
  });

  it('is in the audit log, without a secret', async () => {
    const { credential, keyId, id } = await server.account();
    const session = await signedIn(server, credential);
    const audit = await server.send('/v2/operator/audit?limit=1', {
      door: 'operator',
      credential: await server.operatorKey(),
    });
    const found = await server.send(`/v2/operator/audit?account_id=${id}`, {
      door: 'operator',
      credential: await server.operatorKey(),
    });
    const text = audit.body.toString() + found.body.toString();
    expect(text).toContain('session.started');
    expect(text).toContain(session.id);
    expect(text).toContain(keyId);
    expect(text).not.toContain(session.cookie.split('=')[1]);
  });
});

describe('a session', () => {
  it('may do what its key may do, at every kind of operation', async () => {
    const { credential } = await server.account();
    const { send } = await signedIn(server, credential);
    const uploaded = await send('/v1/objects?name=a.txt', { method: 'POST', body: formWith(someBytes()) });
    expect(uploaded.status).toBe(200);
    expect((await send('/v1/objects')).json().response.objects).toHaveLength(1);
    const started = await send('/v1/objects/chunked?name=b.bin', { method: 'POST' });
    expect(started.status).toBe(200);
    const tus = await send('/v1/uploads', {
      method: 'POST',
      headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3000', 'Upload-Metadata': 'name Yy50eHQ=' },
    });
    expect(tus.status).toBe(201);
    const at = new URL(tus.headers.get('Location')!, server.running.urls.api).pathname;
    const patched = await send(at, {
      method: 'PATCH',
      headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
      body: new Uint8Array(3000),
    });
    expect(patched.status).toBe(204);
    expect((await send('/v2/ai/models')).status).toBe(200);
    expect((await send('/v2/apps')).status).toBe(200);
  });

  it('keeps to the scopes and prefixes of its key', async () => {
    const account = await server.account();
    const key = await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices'] });
    const { send } = await signedIn(server, key);
    expect((await send('/v1/objects?prefix=invoices/')).status).toBe(200);
    expect(await codeOf(send('/v1/objects?prefix=other/'))).toBe('PREFIX_NOT_ALLOWED');
    expect(await codeOf(send('/v1/objects?name=a.txt', { method: 'POST', body: formWith(someBytes()) }))).toBe(
      'MISSING_SCOPE',
    );
    expect((await send('/v1/session')).json().response).toMatchObject({
      scopes: ['blob:read'],
      prefixes: ['invoices'],
    });
    expect(await codeOf(send('/v1/sessions'))).toBe('MISSING_SCOPE');
  });

  it('gets no S3 pair', async () => {
    const { send } = await signedIn(server, (await server.account()).credential);
    const answer = await send('/v1/s3/credentials');
    expect([answer.status, answer.json().code]).toEqual([400, 'API_KEY_REQUIRED']);
  });

  it('is shown to its page again, with the same token', async () => {
    const session = await signedIn(server, (await server.account()).credential);
    const { response } = (await session.send('/v1/session')).json();
    expect(response).toMatchObject({ id: session.id, csrf_token: session.csrf });
  });

  it('is none for an API key, which learns its account', async () => {
    const account = await server.account();
    const answer = await server.send('/v1/session', { credential: account.credential });
    expect(answer.json().response).toMatchObject({
      id: null,
      csrf_token: null,
      created_at: null,
      expires_at: null,
      account: { id: account.id },
    });
    const signOut = await server.send('/v1/session', { method: 'DELETE', credential: account.credential });
    expect([signOut.status, signOut.json().code]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  it('is ignored beside an Authorization header, right or wrong', async () => {
    const [mine, theirs] = [await server.account(), await server.account()];
    const { cookie } = await signedIn(server, mine.credential);
    const get = (credential: string) => server.send('/v1/session', { credential, headers: { Cookie: cookie } });
    expect((await get(theirs.credential)).json().response).toMatchObject({ id: null, account: { id: theirs.id } });
    expect((await get('cbk_wrong')).status).toBe(401);
    const created = await server.send('/v1/account/keys', {
      method: 'POST',
      credential: theirs.credential,
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' },
      body: JSON.stringify({ name: 'a', scopes: ['blob:read'] }),
    });
    expect(created.status).toBe(200);
  });

  it('ends with a sign-out, which deletes the cookie', async () => {
    const { send } = await signedIn(server, (await server.account()).credential);
    const answer = await send('/v1/session', { method: 'DELETE' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Set-Cookie')).toBe(
      '__Host-cubby_console=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    );
    expect((await send('/v1/session')).status).toBe(401);
  });

  it('ends after 12 hours, also if it is used', async () => {
    const own = await startTestServer();
    const { send } = await signedIn(own, (await own.account()).credential);
    own.clock.advance(11.9 * 3_600_000);
    expect((await send('/v1/session')).status).toBe(200);
    own.clock.advance(0.1 * 3_600_000);
    expect((await send('/v1/session')).status).toBe(401);
  });

  it('ends when its key is revoked, gets a new secret or expires, and when the account is closed', async () => {
    const own = await startTestServer();
    const { stores } = own.running.app;
    const ends: ReadonlyArray<(account: Awaited<ReturnType<typeof own.account>>) => Promise<unknown>> = [
      ({ keyId, credential }) => own.send(`/v1/account/keys/${keyId}`, { method: 'DELETE', credential }),
      ({ keyId, credential }) => own.send(`/v1/account/keys/${keyId}/regenerate`, { method: 'POST', credential }),
      ({ keyId }) => revokeKey(stores, keyId),
      ({ id: accountId }) => suspendAccount(stores, { accountId, by: serverActor }),
      ({ id: accountId }) => deleteAccount(stores, { accountId, by: serverActor }),
    ];
    for (const end of ends) {
      const account = await own.account();
      const { send } = await signedIn(own, account.credential);
      expect((await send('/v1/session')).status).toBe(200);
      await end(account);
      const after = await send('/v1/session');
      expect([after.status, after.json().code]).toEqual([401, 'ACCESS_DENIED']);
    }
    const expiring = await own.key(await own.account(), { scopes: ['blob:read'], lifetimeMs: 5000 });
    const { send } = await signedIn(own, expiring, true);
    own.clock.advance(5000);
    expect((await send('/v1/session')).status).toBe(401);
  });

  it('that has ended does not block the address of a page that stays open', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const { send } = await signedIn(limited, (await limited.account()).credential);
    await send('/v1/session', { method: 'DELETE' });
    for (let tries = 0; tries < failedCredentials.limit + 5; tries++)
      expect((await send('/v1/session')).status).toBe(401);
    for (let tries = 0; tries < failedCredentials.limit + 5; tries++)
      expect((await limited.send('/v1/session', { headers: sameOrigin })).status).toBe(401);
  });
});

describe('the list of sessions', () => {
  it('shows those of the account alone, newest first, and ends one', async () => {
    const own = await startTestServer();
    const [mine, theirs] = [await own.account(), await own.account()];
    const first = await signedIn(own, mine.credential);
    own.clock.advance(1000);
    const second = await signedIn(own, mine.credential, true);
    const other = await signedIn(own, theirs.credential);
    const list = async (session: typeof first) => (await session.send('/v1/sessions')).json().response.sessions;
    expect(await list(second)).toMatchObject([
      { id: second.id, current: true, key_id: mine.keyId, source_ip: '127.0.0.1', user_agent: 'node' },
      { id: first.id, current: false },
    ]);
    expect((await list(other)).map(({ id }: { id: string }) => id)).toEqual([other.id]);
    const end = (id: string) => second.send(`/v1/sessions/${id}`, { method: 'DELETE' });
    for (const id of [other.id, 'ses_unknown', second.cookie.split('=')[1]!.slice(0, 40)]) {
      const answer = await end(id);
      expect([answer.status, answer.json().code]).toEqual([404, 'SESSION_NOT_FOUND']);
    }
    expect((await other.send('/v1/session')).status).toBe(200);
    expect((await end(first.id)).status).toBe(200);
    expect((await first.send('/v1/session')).status).toBe(401);
    expect(await codeOf(end(first.id))).toBe('SESSION_NOT_FOUND');
    expect(await list(second)).toHaveLength(1);
  });

  it('has at most 50: further sign-ins end the oldest, also at the same time', async () => {
    const own = await startTestServer();
    const { credential } = await own.account();
    const oldest = await signedIn(own, credential, true);
    own.clock.advance(1000);
    const others = await Promise.all(Array.from({ length: 60 }, () => signedIn(own, credential)));
    const { sessions } = (await own.send('/v1/sessions', { credential })).json().response;
    expect(sessions).toHaveLength(50);
    expect((await oldest.send('/v1/session')).status).toBe(401);
    const alive = await Promise.all(others.map(async ({ send }) => (await send('/v1/session')).status === 200));
    expect(alive.filter(Boolean)).toHaveLength(50);
  });
});
