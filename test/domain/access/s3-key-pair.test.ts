import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { findS3Owner, keyPairOf, lastingS3Seed } from '#server/domain/access/s3-key-pair.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';
import { openTestStores } from '#test/support/stores.ts';

async function withKey(change: { readonly lifetimeMs?: number } = {}) {
  const stores = await openTestStores();
  const { id } = await stores.account();
  const { key } = await createKey(stores, { accountId: id, name: 'k', scopes: ['*'], ...change });
  return { stores, id, key, pair: keyPairOf(stores.secrets, key) };
}

describe('the S3 key pair of an API key', () => {
  it('is the same each time, and leads back to its key', async () => {
    const { stores, id, key, pair } = await withKey();
    expect(pair.accessKeyId).toMatch(new RegExp(`^CB${id}[A-Z0-9]{16}$`));
    expect(pair.secretAccessKey).toHaveLength(43);
    expect(keyPairOf(stores.secrets, (await stores.metadata.read.apiKeys.find(key.id))!)).toEqual(pair);
    const owner = await findS3Owner(stores, pair.accessKeyId);
    expect([owner?.caller.key.id, owner?.secretAccessKey]).toEqual([key.id, pair.secretAccessKey]);
  });

  it('differs for another key', async () => {
    const { stores, id, pair } = await withKey();
    const { key } = await createKey(stores, { accountId: id, name: 'k', scopes: ['*'] });
    expect(keyPairOf(stores.secrets, key)).not.toMatchObject({ secretAccessKey: pair.secretAccessKey });
  });

  it('ends when its key is regenerated', async () => {
    const { stores, id, key, pair } = await withKey();
    const renewed = await regenerateKey(stores, {
      accountId: id,
      keyId: key.id,
      asker: { keyId: key.id, actor: systemActor },
    });
    expect(await findS3Owner(stores, pair.accessKeyId)).toBeUndefined();
    const other = keyPairOf(stores.secrets, renewed.key);
    expect(other.secretAccessKey).not.toBe(pair.secretAccessKey);
    expect((await findS3Owner(stores, other.accessKeyId))?.caller.key.id).toBe(key.id);
  });

  it('ends when its key is revoked', async () => {
    const { stores, key, pair } = await withKey();
    await revokeKey(stores, key.id);
    expect(await findS3Owner(stores, pair.accessKeyId)).toBeUndefined();
  });

  it('ends when its key expires', async () => {
    const { stores, pair } = await withKey({ lifetimeMs: 1000 });
    stores.clock.advance(1000);
    expect(await findS3Owner(stores, pair.accessKeyId)).toBeUndefined();
  });

  it('is not found under another account, or by a text of another form', async () => {
    const { stores, pair } = await withKey();
    const other = `CB204815162342108999${pair.accessKeyId.slice(-16)}`;
    for (const id of [
      other,
      pair.accessKeyId.toLowerCase(),
      pair.accessKeyId.slice(0, -1),
      `${pair.accessKeyId}A`,
      '',
    ]) {
      expect(await findS3Owner(stores, id)).toBeUndefined();
    }
  });

  it('throws INVALID_CREDENTIAL under another master key, and LEGACY_API_KEY for a key from before S3', async () => {
    const { key } = await withKey();
    expect(() => keyPairOf(masterSecrets(Buffer.alloc(32, 8)), key)).toThrow(
      expect.objectContaining({ code: 'INVALID_CREDENTIAL' }),
    );
    expect(() => keyPairOf(masterSecrets(Buffer.alloc(32, 7)), { ...key, s3Salt: null })).toThrow(
      expect.objectContaining({ code: 'LEGACY_API_KEY' }),
    );
  });
});

describe('lastingS3Seed()', () => {
  const [former, current] = [masterSecrets(Buffer.alloc(32, 7)), masterSecrets(Buffer.alloc(32, 8))];
  const both = {
    ...current,
    signers: () => [...current.signers(), ...former.signers()],
    finders: () => [...current.finders(), ...former.finders()],
  };

  it('keeps a pair after the master key that it was made with, and changes nothing the second time', async () => {
    const { key, stores } = await withKey();
    expect(lastingS3Seed(stores.secrets, key, false)).toBeUndefined();
    const kept = lastingS3Seed(both, key, false);
    expect(kept).toMatchObject({ s3Check: key.s3Check, s3Sealed: expect.anything() });
    expect(keyPairOf(current, { ...key, ...kept })).toEqual(keyPairOf(former, key));
    expect(lastingS3Seed(both, { ...key, ...kept }, false)).toBeUndefined();
  });

  it('gives another secret if the former master key is known to others', async () => {
    const { key } = await withKey();
    const renewed = { ...key, ...lastingS3Seed(both, key, true) };
    expect(renewed.s3Sealed).toBeNull();
    expect(keyPairOf(current, renewed).secretAccessKey).not.toBe(keyPairOf(former, key).secretAccessKey);
    expect(lastingS3Seed(both, renewed, true)).toBeUndefined();
  });
});
