import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { revokeOperatorKey } from '#server/domain/operator/revoke-operator-key.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { sameOrigin, signedInOperator } from '#test/support/sessions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const exchange = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  server.send('/v2/operator/session', { method: 'POST', door: 'operator', headers, body: JSON.stringify(body) });

describe('a session at the operator’s door', () => {
  it('begins with an operator key, with a cookie of its own', async () => {
    const key = await server.operatorKey();
    const answer = await exchange({ operator_key: key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Set-Cookie')).toMatch(
      /^__Host-cubby_operator=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(answer.json().response).toMatchObject({ key: { name: 'test', last4: key.slice(-4) } });
    expect(answer.body.toString()).not.toContain(key);
  });

  it('does not begin with another key, a wrong body, or from another page', async () => {
    for (const key of ['cbo_wrong', (await server.account()).credential])
      expect((await exchange({ operator_key: key })).status).toBe(401);
    expect((await exchange({})).json().code).toBe('INVALID_BODY');
    const foreign = await exchange({ operator_key: await server.operatorKey() }, { 'Sec-Fetch-Site': 'cross-site' });
    expect([foreign.status, foreign.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
  });

  it('may do what its key may do, with its token', async () => {
    const { send, cookie, id } = await signedInOperator(server, await server.operatorKey());
    expect((await send('/v2/operator/accounts')).status).toBe(200);
    const created = await send('/v2/operator/accounts', {
      method: 'POST',
      body: JSON.stringify({ name: 'New', plan: 'pro' }),
    });
    expect(created.status).toBe(201);
    const without = await server.send('/v2/operator/clock/confirm', {
      method: 'POST',
      door: 'operator',
      headers: { Cookie: cookie, ...sameOrigin },
    });
    expect([without.status, without.json().code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    const audit = await send('/v2/operator/audit');
    expect(audit.body.toString()).toContain(id);
    expect(audit.body.toString()).not.toContain(cookie.split('=')[1]);
  });

  it('does not work at the API, and a session of an account does not work here', async () => {
    const { cookie } = await signedInOperator(server, await server.operatorKey());
    const value = cookie.split('=')[1]!;
    for (const name of ['__Host-cubby_operator', '__Host-cubby_console'])
      expect((await server.send('/v1/session', { headers: { Cookie: `${name}=${value}` } })).status).toBe(401);
  });

  it('ends with a sign-out, after 12 hours, and with its key', async () => {
    const own = await startTestServer();
    const key = await own.operatorKey();
    const first = await signedInOperator(own, key);
    const who = (await first.send('/v2/operator/session')).json().response;
    expect(who).toMatchObject({ id: first.id, csrf_token: first.csrf });
    const signedOut = await first.send('/v2/operator/session', { method: 'DELETE' });
    expect(signedOut.headers.get('Set-Cookie')).toMatch(/^__Host-cubby_operator=; Path=\/; Max-Age=0;/);
    expect((await first.send('/v2/operator/session')).status).toBe(401);

    const second = await signedInOperator(own, key);
    expect((await second.send('/v2/operator/session')).status).toBe(200);
    own.clock.advance(12 * 3_600_000);
    expect((await second.send('/v2/operator/session')).status).toBe(401);

    const third = await signedInOperator(own, key);
    await revokeOperatorKey(own.running.app.stores, who.key.id, serverActor);
    expect((await third.send('/v2/operator/session')).status).toBe(401);
  });

  it('is none for the key itself', async () => {
    const credential = await server.operatorKey();
    const answer = await server.send('/v2/operator/session', { door: 'operator', credential });
    expect(answer.json().response).toMatchObject({ id: null, csrf_token: null, key: { name: 'test' } });
    const signOut = await server.send('/v2/operator/session', { method: 'DELETE', door: 'operator', credential });
    expect(signOut.json().code).toBe('SESSION_NOT_FOUND');
  });

  it('is one of at most 50 of its key, also at the same time', async () => {
    const key = await server.operatorKey();
    const sessions = await Promise.all(Array.from({ length: 55 }, () => signedInOperator(server, key)));
    const alive = await Promise.all(
      sessions.map(async ({ send }) => (await send('/v2/operator/session')).status === 200),
    );
    expect(alive.filter(Boolean)).toHaveLength(50);
  });
});
