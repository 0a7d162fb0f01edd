import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { authenticateSession } from '#server/domain/access/authenticate-session.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { Approver, askForKey, poll, postJson, signedIn } from '#test/support/activation.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { asker } from '#test/domain/access/asker.ts';

let server: TestServer;
let stores: TestServer['running']['app']['stores'];
beforeAll(async () => {
  server = await startTestServer();
  ({ stores } = server.running.app);
});
afterAll(() => server.stop());

const minuteMs = 60_000;

describe('a decision', () => {
  it.each([
    ['approve', 'approved', 'Device approved'],
    ['refuse', 'refused', 'Device refused'],
  ] as const)(
    'to %s redirects to a page that confirms it, also when that page is reloaded',
    async (action, done, title) => {
      const { credential } = await server.account();
      const codes = await askForKey(server, { client_name: 'Žluťoučký <CLI> ☁' });
      const person = await signedIn(server, credential);
      await person.lookUp(codes.user_code);
      const answer = await person.post({ action, user_code: codes.user_code });
      expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
        303,
        `${server.running.urls.api}/activate?done=${done}`,
        'no-store',
      ]);
      expect(answer.body).toHaveLength(0);
      for (const page of [await person.follow(answer), await person.follow(answer)]) {
        expect(page.status).toBe(200);
        expect(page.body.toString()).toContain(title);
        expect(page.body.toString()).toContain('Žluťoučký &#60;CLI&#62; ☁');
      }
      expect((await person.open()).body.toString(), 'without done').toContain('Enter the code');
    },
  );

  it('is shown only to the person who made it', async () => {
    const { credential } = await server.account();
    const codes = await askForKey(server);
    const person = await signedIn(server, credential);
    await person.lookUp(codes.user_code);
    const refused = await person.post({ action: 'refuse', user_code: codes.user_code });
    const cookie = person.cookies.get('cubby_decision')!;
    const shown = async (who: Approver, done: string) =>
      (
        await who.follow({
          ...refused,
          headers: new Headers({ location: `${server.running.urls.api}/activate?done=${done}` }),
        })
      ).body.toString();
    expect(await shown(person, 'refused')).toContain('Device refused');
    expect(await shown(person, 'approved'), 'it was another').toContain('Enter the code');
    expect(await shown(person, 'anything')).toContain('Enter the code');
    const other = await signedIn(server, credential);
    expect(await shown(other, 'refused'), 'without the cookie').toContain('Enter the code');
    other.cookies.set('cubby_decision', cookie);
    expect(await shown(other, 'refused'), 'with the cookie of another sign-in').toContain('Enter the code');
    for (const forged of ['', '.', 'x', `${Buffer.from('CLI').toString('base64url')}.${cookie.split('.').at(-1)}`]) {
      person.cookies.set('cubby_decision', forged);
      expect(await shown(person, 'refused')).toContain('Enter the code');
    }
  });
});

describe('the fields of RFC 8628', () => {
  const form = (path: string, fields: Record<string, string>) =>
    server.send(path, { method: 'POST', body: new URLSearchParams(fields) });

  it('request and fetch a key without any of our own fields', async () => {
    const { credential } = await server.account();
    const codes = (await form('/v2/auth/device', { client_id: 'cubby-cli', scope: 'blob:read account:read' })).json();
    const person = await signedIn(server, credential);
    expect((await person.lookUp(codes.user_code)).body.toString()).toContain('cubby-cli');
    await person.submit({ action: 'approve', user_code: codes.user_code });
    const token = await form('/v2/auth/device/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: codes.device_code,
      client_id: 'cubby-cli',
    });
    expect(token.json()).toMatchObject({ token_type: 'Bearer', scope: 'blob:read account:read' });
  });

  it('are ignored in addition to our own fields', async () => {
    const { credential } = await server.account();
    const codes = (
      await postJson(server, '/v2/auth/device', {
        client_name: 'Cubby CLI',
        client_id: 'cubby-cli',
        scopes: ['blob:read'],
        scope: 'blob:write',
      })
    ).json();
    const review = (await (await signedIn(server, credential)).lookUp(codes.user_code)).body.toString();
    expect(review).toContain('Cubby CLI');
    expect(review).not.toMatch(/cubby-cli|blob:write/);
  });

  it.each([
    [{}, 'invalid_request'],
    [{ client_id: 'cubby-cli' }, 'invalid_scope'],
    [{ scope: 'blob:read' }, 'invalid_request'],
    [{ client_id: 'cubby-cli', scope: '' }, 'invalid_scope'],
    [{ client_id: '', scope: 'blob:read' }, 'invalid_request'],
  ])('in the form %j cause %s', async (fields, error) => {
    expect((await form('/v2/auth/device', fields as Record<string, string>)).json().error).toBe(error);
  });

  it.each([
    [{ scope: 'blob:read' }, 'client_name or client_id is missing.'],
    [{ client_id: '\u3164', scope: 'blob:read' }, 'client_id takes 1 to 64 printable characters'],
    [{ client_id: 'cli', scope: 'blob:read blob:nothing' }, 'Got "blob:nothing".'],
    [{ client_id: 'cli', scope: 'blob:read blob:read' }, 'Got "blob:read".'],
    [{ client_id: 'cli' }, 'scopes or scope is missing.'],
  ])('in the form %j cause a message that says how to correct them', async (fields, words) => {
    expect((await form('/v2/auth/device', fields as Record<string, string>)).json().error_description).toContain(words);
  });
});

describe('device approval', () => {
  it('gives a client the approved key, once, with its name, for 90 days and only with its scopes', async () => {
    const { id, credential } = await server.account();
    const codes = await askForKey(server, {
      client_name: 'Cubby CLI on anna-laptop',
      scopes: ['blob:read', 'account:read'],
    });
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^\w{40}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${server.running.urls.api}/activate`,
      expires_in: 900,
      interval: 5,
    });
    expect((await poll(server, codes)).json()).toMatchObject({ error: 'authorization_pending' });

    const person = await signedIn(server, credential);
    const typed = codes.user_code.toLowerCase().replace('-', ' ');
    const review = (await person.lookUp(` ${typed} `)).body.toString();
    for (const text of [
      'Cubby CLI on anna-laptop',
      '127.0.0.1',
      'blob:read',
      'See and download stored files',
      'account:read',
      codes.user_code,
    ])
      expect(review).toContain(text);
    const approved = await person.submit({ action: 'approve', user_code: codes.user_code });
    expect(approved.body.toString()).toMatch(/Cubby CLI on anna-laptop fetches its key[^]*20 July 2026/);
    expect(approved.body.toString()).toContain('Device approved');

    server.clock.advance(5000);
    const token = (await poll(server, codes)).json();
    expect(token).toEqual({
      access_token: expect.stringMatching(/^cbk_/),
      token_type: 'Bearer',
      expires_in: 7_776_000,
      scope: 'blob:read account:read',
    });
    const made = (await stores.metadata.read.apiKeys.listOf(id)).find(
      ({ name }) => name === 'Cubby CLI on anna-laptop',
    );
    expect(made).toMatchObject({
      scopes: ['blob:read', 'account:read'],
      resources: null,
      prefixes: null,
      expiresAt: server.clock.now() + 90 * 86_400_000,
    });
    expect((await server.send('/v1/objects', { credential: token.access_token })).status).toBe(200);
    expect((await server.send('/v1/account/keys', { credential: token.access_token })).status).toBe(403);
    expect((await poll(server, codes)).json()).toMatchObject({ error: 'invalid_grant' });

    const [entry] = (await server.send('/v1/account/activity', { credential })).json().response.activity;
    expect(entry).toMatchObject({
      type: 'key.created',
      details: { key: made!.id, name: 'Cubby CLI on anna-laptop' },
      source_ip: '127.0.0.1',
      auth: 'api_key',
    });
  });

  it('gives the key to only one of 32 parallel requests', async () => {
    const { id, credential } = await server.account();
    const codes = await askForKey(server);
    await (await signedIn(server, credential)).decide('approve', codes.user_code);
    const answers = await Promise.all(Array.from({ length: 32 }, () => poll(server, codes)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer.json().error).toBe('invalid_grant');
    expect(await stores.metadata.read.apiKeys.listOf(id)).toHaveLength(2);
  });

  it('accepts only one of several parallel decisions', async () => {
    const { credential } = await server.account();
    const codes = await askForKey(server);
    const people = await Promise.all(Array.from({ length: 6 }, () => signedIn(server, credential)));
    for (const person of people) await person.lookUp(codes.user_code);
    const answers = await Promise.all(
      people.map((person, at) =>
        person.submit({ action: at % 2 ? 'approve' : 'refuse', user_code: codes.user_code }, { Accept: '*/*' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer.json().code).toBe('INVALID_USER_CODE');
    const isApproved = answers.findIndex(({ status }) => status === 200) % 2 === 1;
    expect((await poll(server, codes)).status).toBe(isApproved ? 200 : 400);
  });

  it('keeps the approval while the account has ten live keys, and tells the client', async () => {
    const account = await server.account();
    const codes = await askForKey(server);
    await (await signedIn(server, account.credential)).decide('approve', codes.user_code);
    for (let key = 1; key < 10; key++) await server.key(account, { scopes: ['blob:read'] });
    const waiting = (await poll(server, codes)).json();
    expect(waiting).toEqual({
      error: 'authorization_pending',
      error_description: expect.stringContaining('ten live keys'),
    });
    const spare = (await stores.metadata.read.apiKeys.listOf(account.id)).find(({ id }) => id !== account.keyId);
    await revokeKey(stores, spare!.id);
    expect((await poll(server, codes)).status).toBe(200);
  });

  it('shows the review again when the account has ten live keys, and approves once there is one less', async () => {
    const account = await server.account();
    const codes = await askForKey(server);
    const keys = [];
    for (let key = 1; key < 10; key++)
      keys.push(await createKey(stores, { accountId: account.id, name: 'x', scopes: ['blob:read'] }));
    const person = await signedIn(server, account.credential);
    const full = await person.decide('approve', codes.user_code);
    expect(full.status).toBe(400);
    expect(full.body.toString()).toMatch(/<h1>Approve this device[^]*role="alert"[^]*Revoke one/);
    await revokeKey(stores, keys[0]!.key.id);
    expect((await person.submit({ action: 'approve', user_code: codes.user_code })).status).toBe(200);
    expect((await poll(server, codes)).status).toBe(200);
  });

  it('ends an approval when the key that gave it ends', async () => {
    const account = await server.account();
    const approving = await createKey(stores, { accountId: account.id, name: 'approving', scopes: ['*'] });
    const codes = await askForKey(server);
    await (await signedIn(server, approving.credential)).decide('approve', codes.user_code);
    await revokeKey(stores, approving.key.id);
    expect((await poll(server, codes)).json()).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringContaining('has ended'),
    });
    expect(await stores.metadata.read.apiKeys.listOf(account.id)).toHaveLength(2);
  });

  it('logs no code, key, cookie or token of a form', async () => {
    const { credential } = await server.account();
    const codes = await askForKey(server);
    const person = await signedIn(server, credential);
    await person.submit({ action: 'sign_in', api_key: credential });
    await person.decide('approve', codes.user_code);
    const { access_token: key } = (await poll(server, codes)).json();
    const log = JSON.stringify(server.log);
    for (const secret of [
      codes.device_code,
      codes.user_code,
      credential,
      key,
      person.formToken,
      ...person.cookies.values(),
    ])
      expect(log).not.toContain(secret);
  });
});

describe('the sign-in of the approval page', () => {
  it('is in a cookie for that page only, which no script can read, for an hour', async () => {
    const { id, credential } = await server.account();
    const person = new Approver(server);
    const cookie = (await person.signIn(credential)).headers.getSetCookie().join();
    expect(cookie).toMatch(/^cubby_session=[\w.-]+; Path=\/activate; Max-Age=3600; HttpOnly; SameSite=Strict$/);
    expect((await authenticateSession(stores, person.cookies.get('cubby_session'))).account.id).toBe(id);
    server.clock.advance(60 * minuteMs);
    expect((await person.open()).body.toString()).toContain('name="api_key"');
    await expect(authenticateSession(stores, person.cookies.get('cubby_session'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });

  it.each(['is revoked', 'gets a new secret'])('ends when its key %s', async (what) => {
    const account = await server.account();
    const person = await signedIn(server, account.credential);
    const { user_code: code } = await askForKey(server);
    if (what === 'is revoked') await revokeKey(stores, account.keyId);
    else await regenerateKey(stores, { accountId: account.id, keyId: account.keyId, asker: asker(account.keyId) });
    const answer = await person.lookUp(code);
    expect([answer.status, answer.body.toString()]).toEqual([401, expect.stringContaining('name="api_key"')]);
  });

  it('ends with the sign-out, also for a kept cookie', async () => {
    const { credential } = await server.account();
    const person = await signedIn(server, credential);
    const kept = new Map(person.cookies);
    expect((await person.submit({ action: 'sign_out' })).body.toString()).toContain('name="api_key"');
    expect(person.cookies.has('cubby_session')).toBe(false);
    for (const [name, value] of kept) person.cookies.set(name, value);
    expect((await person.open()).body.toString()).toContain('name="api_key"');
  });

  it('ends with the fifth wrong code, however many come at once', async () => {
    const { credential } = await server.account();
    const person = await signedIn(server, credential);
    const { user_code: right } = await askForKey(server);
    const tokenOfForm = person.formToken;
    const answers = await Promise.all(
      Array.from({ length: 24 }, () =>
        person.submit({ action: 'look_up', user_code: 'BBBB-BBBB', form_token: tokenOfForm }, { Accept: '*/*' }),
      ),
    );
    const codes = answers.map((answer) => answer.json().code);
    expect(codes.filter((code) => code === 'INVALID_USER_CODE')).toHaveLength(5);
    expect(codes.filter((code) => code === 'ACCESS_DENIED')).toHaveLength(19);
    expect((await person.submit({ action: 'look_up', user_code: right, form_token: tokenOfForm })).status).toBe(401);
  });

  it('continues after four wrong codes and a right one between them', async () => {
    const { credential } = await server.account();
    const person = await signedIn(server, credential);
    const { user_code: right } = await askForKey(server);
    for (const wrong of ['BBBB-BBBB', 'nonsense', '', 'BBBB BBBC'])
      expect((await person.lookUp(wrong)).status).toBe(400);
    expect((await person.lookUp(right)).status).toBe(200);
    await person.open();
    const fifth = await person.lookUp('BBBB-BBBB');
    expect(fifth.body.toString()).toMatch(/role="alert"[^]*fifth wrong one[^]*name="api_key"/);
  });
});

describe('a form of the approval page', () => {
  it.each([
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['another Origin', { Origin: 'https://evil.example' }],
    ['another Origin of the same host', { Origin: 'http://localhost:1' }],
  ])('is refused with %s and has no effect', async (_, headers) => {
    const { credential } = await server.account();
    const codes = await askForKey(server);
    const person = await signedIn(server, credential);
    await person.lookUp(codes.user_code);
    const answer = await person.submit(
      { action: 'approve', user_code: codes.user_code },
      { ...headers, Accept: '*/*' },
    );
    expect([answer.status, answer.json().code]).toEqual([403, 'INVALID_FORM_TOKEN']);
    expect((await poll(server, codes)).json().error).toBe('authorization_pending');
  });

  it('is accepted from a page of the same origin, also without a known address', async () => {
    const { credential } = await server.account();
    const person = await signedIn(server, credential);
    const { user_code: code } = await askForKey(server);
    for (const headers of [
      { Origin: server.running.urls.api, 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null' },
    ]) {
      await person.open();
      expect((await person.submit({ action: 'look_up', user_code: code }, headers)).status).toBe(200);
    }
  });

  it('requires the token of its page, from this session, and for a decision of this request', async () => {
    const { credential } = await server.account();
    const [mine, other] = [await signedIn(server, credential), await signedIn(server, credential)];
    const [codes, others] = [await askForKey(server), await askForKey(server)];
    const before = mine.formToken;
    await mine.lookUp(codes.user_code);
    await other.lookUp(codes.user_code);
    for (const [userCode, token] of [
      [codes.user_code, before],
      [codes.user_code, other.formToken],
      [others.user_code, mine.formToken],
      [codes.user_code, 'x'],
    ] as const) {
      const answer = await mine.submit(
        { action: 'approve', user_code: userCode, form_token: token },
        { Accept: '*/*' },
      );
      expect(answer.json().code).toBe('INVALID_FORM_TOKEN');
      // The response is a page with another form, so open the one with the request again.
      await mine.open();
      await mine.lookUp(codes.user_code);
    }
    for (const one of [codes, others]) expect((await poll(server, one)).json().error).toBe('authorization_pending');
  });

  it("shows the client's own description as text", async () => {
    const { credential } = await server.account();
    const { user_code: code } = await askForKey(server, { client_name: `<img src=x onerror="a('b')"> & co` });
    const page = (await (await signedIn(server, credential)).lookUp(code)).body.toString();
    expect(page).not.toContain('<img');
    expect(page).toContain('&#60;img src=x onerror=&#34;a(&#39;b&#39;)&#34;&#62; &#38; co');
  });

  it('is not framed, cached, indexed or sent as referrer, like the page itself', async () => {
    const answer = await new Approver(server).open();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; " +
        "base-uri 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const refused = await new Approver(server).submit({ action: 'look_up', user_code: 'x', form_token: 'x' });
    expect([refused.status, refused.headers.get('content-security-policy')]).toEqual([
      401,
      answer.headers.get('content-security-policy'),
    ]);
  });

  it('counts wrong API keys with all other failed credentials of the address', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const { credential } = await limited.account();
    for (let failure = 0; failure < 20; failure++) await limited.send('/v1/objects', { credential: 'cbk_wrong' });
    const person = new Approver(limited);
    await person.open();
    const statuses: number[] = [];
    for (let failure = 0; failure < 11; failure++)
      statuses.push((await person.submit({ action: 'sign_in', api_key: 'cbk_wrong' })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await limited.send('/v1/objects', { credential })).status).toBe(429);
    expect((await person.submit({ action: 'sign_in', api_key: credential })).status).toBe(429);
  });
});
