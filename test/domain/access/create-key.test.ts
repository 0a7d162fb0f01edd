import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { credentialKind } from '#server/domain/access/credential.ts';
import { holdText } from '#test/support/stored.ts';
import { openTestStores } from '#test/support/stores.ts';
import { asker } from './asker.ts';
import { prefixes } from '#test/support/parsed.ts';

describe('createKey()', () => {
  it('stores everything but the secret', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    const { key, credential } = await createKey(stores, {
      accountId: id,
      name: 'Website',
      scopes: ['blob:read'],
      prefixes: prefixes('photos'),
      lifetimeMs: 5000,
    });
    expect(credentialKind(credential)).toBe('apiKey');
    expect(key).toEqual({
      id: expect.stringMatching(/^[a-z2-7]{26}$/),
      accountId: id,
      name: 'Website',
      scopes: ['blob:read'],
      resources: null,
      prefixes: prefixes('photos'),
      ai: null,
      createdAt: stores.clock.now(),
      lastUsedAt: null,
      expiresAt: stores.clock.now() + 5000,
      revokedAt: null,
      last4: credential.slice(-4),
      s3Salt: expect.stringMatching(/^[A-Z0-9]{16}$/),
      s3Check: expect.any(String),
      s3Sealed: null,
    });
    expect(await stores.metadata.read.apiKeys.find(key.id)).toEqual(key);
    const rows = await stores.stored('SELECT * FROM api_keys');
    expect(holdText(rows, key.id)).toBe(true);
    expect(holdText(rows, credential.slice(4, 44))).toBe(false);
  });

  it.each([['*'], ['blob:read'], ['blob:write']] as const)(
    'throws CONFLICTING_RESOURCES for resources beside %s',
    async (scope) => {
      const stores = await openTestStores();
      const { id } = await stores.account();
      const command = { accountId: id, name: 'x', scopes: ['apps:read', scope] as const, resources: ['app_1'] };
      await expect(createKey(stores, command)).rejects.toMatchObject({ code: 'CONFLICTING_RESOURCES' });
      expect(await stores.metadata.read.apiKeys.listOf(id)).toEqual([]);
    },
  );

  it('accepts resources beside scopes of applications', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    const { key } = await createKey(stores, {
      accountId: id,
      name: 'x',
      scopes: ['apps:read', 'apps:deploy'],
      resources: ['app_1'],
    });
    expect(key.resources).toEqual(['app_1']);
  });

  it('throws CONFLICTING_RESOURCES for prefixes beside *, which would lift them', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    await expect(
      createKey(stores, { accountId: id, name: 'x', scopes: ['*'], prefixes: prefixes('photos') }),
    ).rejects.toMatchObject({ code: 'CONFLICTING_RESOURCES' });
  });

  it('throws APIKEY_LIMIT_REACHED at the eleventh live key, even for parallel calls', async () => {
    const stores = await openTestStores();
    const [{ id }, other] = [await stores.account(), await stores.account()];
    const made = await Promise.allSettled(
      Array.from({ length: 14 }, () => createKey(stores, { accountId: id, name: 'x', scopes: ['*'] })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const one of made.slice(10))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'APIKEY_LIMIT_REACHED' } });
    await expect(createKey(stores, { accountId: other.id, name: 'x', scopes: ['*'] })).resolves.toBeDefined();
  });

  it("throws ACCESS_DENIED when the caller's key was revoked after authentication", async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    const { key } = await createKey(stores, { accountId: id, name: 'x', scopes: ['*'] });
    await stores.metadata.atomically((tx) => tx.apiKeys.revoke(key.id, tx.now));
    await expect(
      createKey(stores, { accountId: id, name: 'x', scopes: ['*'], asker: asker(key.id) }),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await stores.metadata.read.apiKeys.listOf(id)).toHaveLength(1);
  });

  it('counts neither revoked nor expired keys', async () => {
    const stores = await openTestStores();
    const { id } = await stores.account();
    const create = (lifetimeMs?: number) =>
      createKey(stores, { accountId: id, name: 'x', scopes: ['*'], ...(lifetimeMs && { lifetimeMs }) });
    const first = await create();
    for (let count = 0; count < 9; count++) await create(1000);
    await expect(create()).rejects.toMatchObject({ code: 'APIKEY_LIMIT_REACHED' });
    await stores.metadata.atomically((tx) => tx.apiKeys.revoke(first.key.id, tx.now));
    await create();
    stores.clock.advance(1000);
    for (let count = 0; count < 9; count++) await create();
    await expect(create()).rejects.toMatchObject({ code: 'APIKEY_LIMIT_REACHED' });
  });
});
