import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { badKeyIds } from './bad-key-ids.ts';
import { rawSend } from './raw-request.ts';

let server: TestServer;
let account: TestAccount;
/** A second key of the account. */
let keyId: string;

beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  keyId = (await createKey(server.running.app.stores, { accountId: account.id, name: 'second', scopes: ['blob:read'] }))
    .key.id;
  // The first use of a key is a write, so it happens before the comparison.
  await rawSend(server, { path: '/v1/account/keys', credential: account.credential });
  while ((await keys()).every(({ lastUsedAt }) => lastUsedAt === null)) await setTimeout(5);
});
afterAll(() => server.stop());

const keys = () => server.running.app.stores.metadata.read.apiKeys.listOf(account.id);

async function unchangedBy<T>(act: () => Promise<T>): Promise<T> {
  const before = await keys();
  const result = await act();
  expect(await keys()).toEqual(before);
  return result;
}

const create = (body: string | undefined) =>
  rawSend(server, { method: 'POST', path: '/v1/account/keys', credential: account.credential, body });

describe('createKey()', () => {
  it.each([
    ['name', ' a ', ' a '],
    ['name', 'مفتاح', 'مفتاح'],
    ['scopes', ['blob:read', 'blob:read'], ['blob:read']],
    ['resources', undefined, undefined],
    ['resources', ['app_1', 'app_1'], ['app_1']],
    ['prefixes', undefined, undefined],
    ['prefixes', ['invoices/'], ['invoices']],
    ['prefixes', ['a', 'a/'], ['a']],
  ])('stores and returns %s %j as %j', async (field, value, kept) => {
    const scopes = field === 'resources' ? ['apps:read'] : ['blob:read'];
    const { response } = (await create(JSON.stringify({ name: 'Website', scopes, [field]: value }))).json();
    const stored = await server.running.app.stores.metadata.read.apiKeys.find(response.id);
    expect(response).toMatchObject({ name: stored!.name, scopes: stored!.scopes });
    expect(response[field]).toEqual(kept);
    await server.running.app.stores.metadata.atomically((tx) => tx.apiKeys.revoke(response.id, tx.now));
  });

  it.each([
    ['resources beside everything', { scopes: ['*'], resources: ['app_1'] }],
    ['resources beside reading files', { scopes: ['apps:read', 'blob:read'], resources: ['app_1'] }],
    ['resources beside writing files', { scopes: ['apps:read', 'blob:write'], resources: ['app_1'] }],
    ['prefixes beside everything', { scopes: ['*'], prefixes: ['a'] }],
    ['both beside everything', { scopes: ['*'], prefixes: ['a'], resources: ['app_1'] }],
  ])('answers CONFLICTING_RESOURCES and makes no key to %s', async (_, wishes) => {
    expect((await unchangedBy(() => create(JSON.stringify({ name: 'Website', ...wishes })))).json().code).toBe(
      'CONFLICTING_RESOURCES',
    );
  });

  it('ignores the fields that only responses have', async () => {
    const wishes = {
      id: 'mine',
      key: 'cbk_mine',
      created_at: 0,
      expires_at: '2020-01-01T00:00:00.000Z',
      last4: 'mine',
      revoked_at: 1,
    };
    const { response } = (await create(JSON.stringify({ name: 'Website', scopes: ['blob:read'], ...wishes }))).json();
    expect(response).toMatchObject({ expires_at: null, last_used_at: null, last4: response.key.slice(-4) });
    for (const value of ['mine', 'cbk_mine']) expect(Object.values(response)).not.toContain(value);
    await server.running.app.stores.metadata.atomically((tx) => tx.apiKeys.revoke(response.id, tx.now));
  });
});

describe('revokeKey()', () => {
  it.each(Object.entries(badKeyIds))(
    'answers APIKEY_NOT_FOUND and changes nothing when the id %s',
    async (_what, id) => {
      const path = `/v1/account/keys/${id(keyId)}`;
      const answer = await unchangedBy(() =>
        rawSend(server, { method: 'DELETE', path, credential: account.credential }),
      );
      expect(answer.json().code).toBe('APIKEY_NOT_FOUND');
    },
  );
});

describe('regenerateKey()', () => {
  it('answers APIKEY_NOT_FOUND and changes nothing when the id is malformed or unknown', async () => {
    for (const id of ['%ff', '%00', `${keyId}a`, 'a'.repeat(65)]) {
      const path = `/v1/account/keys/${id}/regenerate`;
      const answer = await unchangedBy(() => rawSend(server, { method: 'POST', path, credential: account.credential }));
      expect(answer.json().code).toBe('APIKEY_NOT_FOUND');
    }
  });
});
