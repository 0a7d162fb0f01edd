import { describe, expect, it } from 'vitest';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { credentialKind } from '#server/domain/access/credential.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { holdText } from '#test/support/stored.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { minting } from '#test/features/upload-tokens/tokens.ts';
import { asker } from './asker.ts';
import { prefixes } from '#test/support/parsed.ts';

/** Makes an account with two keys: one with full access, which acts, and one without. */
async function twoKeys(stores: TestStores) {
  const { id: accountId } = await stores.account();
  const acting = await createKey(stores, { accountId, name: 'full', scopes: ['*'] });
  const made = await createKey(stores, {
    accountId,
    name: 'Website',
    scopes: ['blob:read'],
    prefixes: prefixes('photos'),
    lifetimeMs: 9000,
  });
  const regenerate = (keyId = made.key.id, actingKeyId = acting.key.id) =>
    regenerateKey(stores, { accountId, keyId, asker: asker(actingKeyId) });
  return { accountId, acting, made, regenerate };
}

describe('regenerateKey()', () => {
  it('ends the old secret at once and keeps everything else of the key', async () => {
    const stores = await openTestStores();
    const { made, regenerate } = await twoKeys(stores);
    await stores.metadata.atomically((tx) => tx.apiKeys.noteUse(made.key.id, 5));
    stores.clock.advance(1000);
    const { key, credential } = await regenerate();

    expect(credentialKind(credential)).toBe('apiKey');
    expect(credential).not.toBe(made.credential);
    expect(key).toEqual({
      ...made.key,
      s3Salt: key.s3Salt,
      s3Check: key.s3Check,
      lastUsedAt: 5,
      last4: credential.slice(-4),
    });
    expect(await stores.metadata.read.apiKeys.find(key.id)).toEqual(key);
    await expect(authenticate(stores, made.credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await authenticate(stores, credential)).key).toEqual(key);
  });

  it('stores the new secret nowhere', async () => {
    const stores = await openTestStores();
    const { regenerate } = await twoKeys(stores);
    const { credential, key } = await regenerate();
    const rows = await stores.stored('SELECT * FROM api_keys');
    expect(holdText(rows, key.id)).toBe(true);
    expect(holdText(rows, credential.slice(4, 44))).toBe(false);
  });

  it('ends the upload tokens of the key for all requests, and no other tokens', async () => {
    const stores = await openTestStores();
    const { account, key, mint } = await minting(stores);
    const other = await minting(stores);
    const [token, foreign] = [await mint(), await other.mint()];
    const rotated = await regenerateKey(stores, { accountId: account.id, keyId: key.id, asker: asker(key.id) });
    for (const use of ['spend', 'follow'] as const)
      await expect(authenticate(stores, token.credential, use)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await authenticate(stores, foreign.credential, 'spend')).token).toEqual(foreign.token);
    expect((await authenticate(stores, (await mint({ key: rotated.key })).credential, 'spend')).key).toEqual(
      rotated.key,
    );
  });

  it('may be called with the key itself', async () => {
    const stores = await openTestStores();
    const { acting, regenerate } = await twoKeys(stores);
    const { credential } = await regenerate(acting.key.id);
    await expect(authenticate(stores, acting.credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await authenticate(stores, credential)).key.id).toBe(acting.key.id);
  });

  it('throws APIKEY_NOT_FOUND for an unknown, foreign, revoked or expired key, and changes nothing', async () => {
    const stores = await openTestStores();
    const { made, regenerate } = await twoKeys(stores);
    const foreign = await twoKeys(stores);
    for (const id of ['', 'unknown', foreign.made.key.id])
      await expect(regenerate(id)).rejects.toMatchObject({ code: 'APIKEY_NOT_FOUND' });
    expect((await authenticate(stores, foreign.made.credential)).key.id).toBe(foreign.made.key.id);
    stores.clock.advance(9000);
    await expect(regenerate()).rejects.toMatchObject({ code: 'APIKEY_NOT_FOUND' });
    await revokeKey(stores, foreign.made.key.id);
    await expect(foreign.regenerate()).rejects.toMatchObject({ code: 'APIKEY_NOT_FOUND' });
    expect((await stores.metadata.read.apiKeys.find(made.key.id))!.last4).toBe(made.key.last4);
  });

  it("throws ACCESS_DENIED when the caller's key was revoked after authentication", async () => {
    const stores = await openTestStores();
    const { acting, made, regenerate } = await twoKeys(stores);
    await revokeKey(stores, acting.key.id);
    await expect(regenerate()).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await authenticate(stores, made.credential)).key).toEqual(made.key);
  });

  it('leaves one working secret after parallel calls, the last one', async () => {
    const stores = await openTestStores();
    const { regenerate } = await twoKeys(stores);
    const all = await Promise.all(Array.from({ length: 20 }, () => regenerate()));
    const outcomes = await Promise.allSettled(all.map(({ credential }) => authenticate(stores, credential)));
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(19).fill('rejected'), 'fulfilled']);
  });
});
