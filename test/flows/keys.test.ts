import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { upload } from '#test/support/files.ts';
import { findS3Owner } from '#server/domain/access/s3-key-pair.ts';
import { startTestServer, type TestRequest, type TestServer } from '#test/support/server.ts';
import { sameOrigin, signedIn } from '#test/support/sessions.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 3;
const parallel = 64;

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

/** Makes an account whose first key is older than the following ones. */
async function newAccount() {
  const account = await server.account();
  server.clock.advance(1000);
  return account;
}

const list = async (credential: string) => (await server.send('/v1/account/keys', { credential })).json().response.keys;
const create = (credential: string, body: object = { name: 'Website', scopes: ['blob:read', 'blob:write'] }) =>
  server.send('/v1/account/keys', { method: 'POST', credential, body: JSON.stringify(body) });
const revoke = (credential: string, id: string) =>
  server.send(`/v1/account/keys/${id}`, { method: 'DELETE', credential });
const regenerate = (credential: string, id: string) =>
  server.send(`/v1/account/keys/${id}/regenerate`, { method: 'POST', credential });

describe('the life of a key', () => {
  it('shows its secret only when it is created, and is limited to its prefixes', async () => {
    const account = await newAccount();
    const { key, ...shown } = (
      await create(account.credential, { name: 'Website', scopes: ['blob:write'], prefixes: ['invoices/'] })
    ).json().response;
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Website',
      scopes: ['blob:write'],
      prefixes: ['invoices'],
      created_at: new Date(server.clock.now()).toISOString(),
      last_used_at: null,
      expires_at: null,
      last4: key.slice(-4),
    });
    expect((await list(account.credential))[1]).toEqual(shown);
    expect((await upload(server, { ...account, credential: key }, { query: { prefix: 'invoices' } })).status).toBe(200);
    expect((await upload(server, { ...account, credential: key }, { query: { prefix: 'photos' } })).json().code).toBe(
      'PREFIX_NOT_ALLOWED',
    );
    expect(server.log.some((line) => JSON.stringify(line).includes(key.slice(4, 44)))).toBe(false);
  });

  it('ends when its lifetime is over, with its session, its S3 key pair and its slot', async () => {
    const account = await server.account();
    const made = (await create(account.credential, { name: 'Short', scopes: ['blob:read'], expires_in: '2h' })).json();
    const { key, expires_at: at } = made.response;
    expect(Date.parse(at)).toBe(server.clock.now() + 2 * 3_600_000);
    const session = await signedIn(server, key);
    const pair = (await server.send('/v1/s3/credentials', { credential: key })).json().response;
    const owner = () => findS3Owner(server.running.app.stores, pair.access_key_id);
    const codeOf = async (request: TestRequest) => (await server.send('/v1/account/stats', request)).json().code;
    // Each of them has been looked up, and may be in a cache.
    for (const request of [{ credential: key }, { headers: { ...sameOrigin, Cookie: session.cookie } }])
      expect(await codeOf(request)).toBeUndefined();
    expect(await owner()).toBeDefined();
    server.clock.advance(2 * 3_600_000 - 1);
    expect(await codeOf({ credential: key })).toBeUndefined();
    server.clock.advance(1);
    for (const request of [{ credential: key }, { headers: { ...sameOrigin, Cookie: session.cookie } }])
      expect(await codeOf(request)).toBe('ACCESS_DENIED');
    expect(await owner()).toBeUndefined();
    expect(await list(account.credential)).toHaveLength(1);
    expect((await regenerate(account.credential, made.response.id)).json().code).toBe('APIKEY_NOT_FOUND');
  });

  it('ends at once when it is revoked, and frees its slot', async () => {
    const account = await server.account();
    const { id, key } = (await create(account.credential)).json().response;
    expect((await upload(server, { ...account, credential: key })).status).toBe(200);
    expect((await revoke(account.credential, id)).json()).toEqual({ status: 'success' });
    expect((await upload(server, { ...account, credential: key })).json().code).toBe('ACCESS_DENIED');
    expect(await list(account.credential)).toHaveLength(1);
    expect((await revoke(account.credential, id)).json().code).toBe('APIKEY_NOT_FOUND');
    for (let more = 1; more < 10; more++) expect((await create(account.credential)).status).toBe(200);
    expect((await create(account.credential)).json().code).toBe('APIKEY_LIMIT_REACHED');
  });

  it('continues with a new secret, also with ten live keys, and the old secret stops working', async () => {
    const account = await newAccount();
    for (let more = 1; more < 10; more++) await create(account.credential);
    const before = (await list(account.credential))[3];
    const { key, ...after } = (await regenerate(account.credential, before.id)).json().response;
    expect(after).toEqual({ ...before, last4: key.slice(-4) });
    expect((await upload(server, { ...account, credential: key })).status).toBe(200);

    const own = (await regenerate(account.credential, account.keyId)).json().response;
    expect((await server.send('/v1/account/keys', { credential: account.credential })).json().code).toBe(
      'ACCESS_DENIED',
    );
    expect((await list(own.key))[0].id).toBe(account.keyId);
  });

  it('shows when it was last used', async () => {
    const { credential } = await server.account();
    await list(credential);
    await expect
      .poll(async () => (await list(credential))[0].last_used_at)
      .toBe(new Date(server.clock.now()).toISOString());
  });
});

describe(`${parallel} requests at once (${rounds} rounds)`, { timeout: 60_000 + rounds * 2_000 }, () => {
  it('that make keys leave exactly ten live ones', async () => {
    for (let round = 0; round < rounds; round++) {
      const { credential } = await newAccount();
      const answers = await Promise.all(Array.from({ length: parallel }, () => create(credential)));
      const made = answers.filter(({ status }) => status === 200).map((answer) => answer.json().response);
      expect(made).toHaveLength(9);
      expect(new Set(answers.filter(({ status }) => status !== 200).map((answer) => answer.json().code))).toEqual(
        new Set(['APIKEY_LIMIT_REACHED']),
      );
      const live = await list(credential);
      expect(live).toHaveLength(10);
      expect(
        live
          .slice(1)
          .map(({ id }: { id: string }) => id)
          .toSorted(),
      ).toEqual(made.map(({ id }) => id).toSorted());
    }
  });

  it('that create keys while the calling key is revoked leave no key from after the revocation', async () => {
    for (let round = 0; round < rounds; round++) {
      const account = await server.account();
      const stolen = (await create(account.credential, { name: 'stolen', scopes: ['*'] })).json().response;
      const answers = await Promise.all(
        Array.from({ length: parallel }, (_, at) =>
          at === 8 ? revoke(account.credential, stolen.id) : create(stolen.key),
        ),
      );
      for (const { status } of answers) expect([200, 400, 401]).toContain(status);
      expect((await create(stolen.key)).status).toBe(401);
      const made = answers.filter((_, at) => at !== 8).filter(({ status }) => status === 200).length;
      expect(await list(account.credential)).toHaveLength(1 + made);
    }
  });
});
