import { describe, expect, it } from 'vitest';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { newCredential } from '#server/domain/access/credential.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';
import { openTestStores } from '#test/support/stores.ts';
import { minting } from '#test/features/upload-tokens/tokens.ts';
import { asker } from './asker.ts';

const denied = { code: 'ACCESS_DENIED' };

describe('authenticate()', () => {
  it('finds the account and the key of a credential', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { key, credential } = await createKey(stores, { accountId: account.id, name: 'test', scopes: ['blob:read'] });
    expect(await authenticate(stores, credential)).toEqual({
      account,
      key,
      secret: { hash: stores.secrets.credentialHash(credential) },
    });
  });

  it.each([
    'nothing',
    'an unknown key',
    'a typo',
    'an unknown upload token',
    'an upload token with a typo',
    'another prefix',
  ])('throws ACCESS_DENIED for %s', async (kind) => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { credential } = await createKey(stores, { accountId: account.id, name: 'test', scopes: ['*'] });
    const wrong: Record<string, string | undefined> = {
      nothing: undefined,
      'an unknown key': newCredential('apiKey', stores.ids),
      'a typo': `${credential.slice(0, -1)}${credential.endsWith('0') ? '1' : '0'}`,
      'an unknown upload token': newCredential('uploadToken', stores.ids),
      'an upload token with a typo': newCredential('uploadToken', stores.ids).slice(0, -1),
      'another prefix': credential.replace('cbk_', 'cbx_'),
    };
    await expect(authenticate(stores, wrong[kind])).rejects.toMatchObject(denied);
  });

  it('looks nothing up for a text that cannot be a key', async () => {
    const { secrets, clock } = await openTestStores();
    const metadata = { read: new Proxy({}, { get: () => expect.unreachable('a look-up') }) } as never;
    await expect(authenticate({ metadata, secrets, clock }, 'cbk_nonsense')).rejects.toMatchObject(denied);
  });

  it('throws ACCESS_DENIED for a key once it is expired or revoked', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { credential } = await createKey(stores, {
      accountId: account.id,
      name: 'short',
      scopes: ['*'],
      lifetimeMs: 1000,
    });
    const other = await createKey(stores, { accountId: account.id, name: 'revoked', scopes: ['*'] });
    stores.clock.advance(999);
    await expect(authenticate(stores, credential)).resolves.toBeDefined();
    stores.clock.advance(1);
    await expect(authenticate(stores, credential)).rejects.toMatchObject(denied);
    await stores.metadata.atomically((tx) => tx.apiKeys.revoke(other.key.id, tx.now));
    await expect(authenticate(stores, other.credential)).rejects.toMatchObject(denied);
  });

  it('throws ACCESS_DENIED under another master key', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { credential } = await createKey(stores, { accountId: account.id, name: 'test', scopes: ['*'] });
    await expect(
      authenticate({ ...stores, secrets: masterSecrets(Buffer.alloc(32, 8)) }, credential),
    ).rejects.toMatchObject(denied);
  });

  it('finds the key and the token of an upload token', async () => {
    const stores = await openTestStores();
    const { account, key, mint } = await minting(stores);
    const { token, credential } = await mint();
    for (const use of ['spend', 'follow', 'other'] as const)
      expect(await authenticate(stores, credential, use)).toEqual({ account, key, token });
  });

  it('throws UPLOAD_TOKEN_USED for a token without uses, but only for requests that need a use', async () => {
    const stores = await openTestStores();
    const { token, credential } = await (await minting(stores)).mint();
    await stores.metadata.atomically((tx) => tx.uploadTokens.spend(token.id));
    await expect(authenticate(stores, credential, 'spend')).rejects.toMatchObject({ code: 'UPLOAD_TOKEN_USED' });
    for (const use of ['follow', 'other'] as const)
      expect((await authenticate(stores, credential, use)).token!.usesLeft).toBe(0);
  });

  it('throws ACCESS_DENIED for an expired token, used up or not, except for uploads that it opened', async () => {
    const stores = await openTestStores();
    const { mint } = await minting(stores);
    const [fresh, used] = [await mint(), await mint()];
    await stores.metadata.atomically((tx) => tx.uploadTokens.spend(used.token.id));
    stores.clock.advance(900_000);
    for (const { token, credential } of [fresh, used]) {
      for (const use of ['spend', 'other'] as const)
        await expect(authenticate(stores, credential, use)).rejects.toMatchObject(denied);
      expect((await authenticate(stores, credential, 'follow')).token!.id).toBe(token.id);
    }
  });

  it('throws ACCESS_DENIED for a token once its key is revoked, expired or has another secret', async () => {
    const stores = await openTestStores();
    const [revoked, expired, rotated] = [
      await minting(stores),
      await minting(stores, { lifetimeMs: 5 }),
      await minting(stores),
    ];
    const credentials = await Promise.all(
      [revoked, expired, rotated].map(async ({ mint }) => (await mint()).credential),
    );
    await stores.metadata.atomically((tx) => tx.apiKeys.revoke(revoked.key.id, tx.now));
    stores.clock.advance(5);
    await regenerateKey(stores, { accountId: rotated.account.id, keyId: rotated.key.id, asker: asker(rotated.key.id) });
    for (const credential of credentials)
      for (const use of ['spend', 'follow', 'other'] as const)
        await expect(authenticate(stores, credential, use)).rejects.toMatchObject(denied);
  });

  it('rethrows a fault of the store, so that nobody takes it for a wrong key', async () => {
    const stores = await openTestStores();
    const fault = new MetadataUnavailable('down', undefined);
    const metadata = {
      read: {
        ...stores.metadata.read,
        apiKeys: { ...stores.metadata.read.apiKeys, findWithAccount: async () => Promise.reject(fault) },
      },
    };
    await expect(authenticate({ ...stores, metadata }, newCredential('apiKey', stores.ids))).rejects.toBe(fault);
  });
});
