import { describe, expect, it } from 'vitest';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { revokeKey, revokeLiveKey } from '#server/domain/access/revoke-key.ts';
import { openTestStores } from '#test/support/stores.ts';
import { asker } from './asker.ts';

describe('revokeKey()', () => {
  it('ends a key at once, and keeps the first instant when it is called again', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const { key, credential } = await createKey(stores, { accountId, name: 'x', scopes: ['*'] });
    const revokedAt = stores.clock.now();
    expect(await revokeKey(stores, key.id)).toEqual({ key: { ...key, revokedAt }, wasRevoked: false });
    await expect(authenticate(stores, credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    stores.clock.advance(1000);
    expect(await revokeKey(stores, key.id)).toEqual({ key: { ...key, revokedAt }, wasRevoked: true });
  });

  it('throws APIKEY_NOT_FOUND for an unknown key', async () => {
    const stores = await openTestStores();
    await expect(revokeKey(stores, 'unknown')).rejects.toMatchObject({ code: 'APIKEY_NOT_FOUND' });
  });
});

describe('revokeLiveKey()', () => {
  it("ends a key at once, including the caller's own", async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const [acting, made] = [
      await createKey(stores, { accountId, name: 'a', scopes: ['*'] }),
      await createKey(stores, { accountId, name: 'b', scopes: ['*'] }),
    ];
    for (const { key, credential } of [made, acting]) {
      await revokeLiveKey(stores, { accountId, keyId: key.id, asker: asker(acting.key.id) });
      await expect(authenticate(stores, credential)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    }
  });

  it('throws APIKEY_NOT_FOUND for an unknown, foreign, revoked or expired key', async () => {
    const stores = await openTestStores();
    const [{ id: accountId }, { id: otherId }] = [await stores.account(), await stores.account()];
    const make = async (of: string, lifetimeMs?: number) =>
      (await createKey(stores, { accountId: of, name: 'x', scopes: ['*'], ...(lifetimeMs && { lifetimeMs }) })).key.id;
    const [acting, revoked, expired, foreign] = [
      await make(accountId),
      await make(accountId),
      await make(accountId, 1000),
      await make(otherId),
    ];
    await revokeKey(stores, revoked);
    stores.clock.advance(1000);
    for (const keyId of ['unknown', revoked, expired, foreign]) {
      await expect(revokeLiveKey(stores, { accountId, keyId, asker: asker(acting) })).rejects.toMatchObject({
        code: 'APIKEY_NOT_FOUND',
      });
    }
    expect((await stores.metadata.read.apiKeys.find(foreign))!.revokedAt).toBeNull();
  });

  it("throws ACCESS_DENIED when the caller's key was revoked: one of two that revoke each other wins", async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const make = async () => (await createKey(stores, { accountId, name: 'x', scopes: ['*'] })).key.id;
    const [one, two] = [await make(), await make()];
    const outcomes = await Promise.allSettled([
      revokeLiveKey(stores, { accountId, keyId: two, asker: asker(one) }),
      revokeLiveKey(stores, { accountId, keyId: one, asker: asker(two) }),
    ]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: expect.objectContaining({ code: 'ACCESS_DENIED' }) },
    ]);
    const live = await stores.metadata.read.apiKeys.liveOf(accountId, stores.clock.now());
    expect(live.map(({ id }) => id)).toEqual([one]);
  });

  it('keeps a key in the list of all keys and drops it from the live ones, as expiry does', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const { apiKeys } = stores.metadata.read;
    const live = async () => (await apiKeys.liveOf(accountId, stores.clock.now())).map(({ id }) => id);
    const ids: string[] = [];
    for (const lifetimeMs of [undefined, 1000, undefined]) {
      ids.push(
        (await createKey(stores, { accountId, name: 'x', scopes: ['*'], ...(lifetimeMs && { lifetimeMs }) })).key.id,
      );
      stores.clock.advance(1);
    }
    expect(await live()).toEqual(ids);
    stores.clock.advance(998);
    await revokeKey(stores, ids[0]!);
    expect(await live()).toEqual([ids[2]]);
    expect((await apiKeys.listOf(accountId)).map(({ id }) => id)).toEqual(ids);
  });
});
