import { describe, expect, it } from 'vitest';

import { authenticate } from '#server/domain/access/authenticate.ts';
import { credentialKind } from '#server/domain/access/credential.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import type { Account } from '#server/domain/account/account.ts';
import { holdText } from '#test/support/stored.ts';
import { openTestStores } from '#test/support/stores.ts';
import { asker } from '#test/domain/access/asker.ts';
import { minting } from './tokens.ts';

const denied = { code: 'ACCESS_DENIED' };

describe('createUploadToken()', () => {
  it('makes a token that opens uploads until it ends, with its pins', async () => {
    const stores = await openTestStores();
    const { account, key, mint } = await minting(stores);
    const { token, credential } = await mint({
      pins: { name: 'a', expire: { hours: 6 } },
      lifetimeMs: 60_000,
      maxUses: 3,
    });
    expect(credentialKind(credential)).toBe('uploadToken');
    expect(token).toEqual({
      id: expect.any(String),
      accountId: account.id,
      keyId: key.id,
      pins: { name: 'a', expire: { hours: 6 } },
      createdAt: stores.clock.now(),
      expiresAt: stores.clock.now() + 60_000,
      endedAt: null,
      maxUses: 3,
      usesLeft: 3,
    });
    expect(await authenticate(stores, credential, 'spend')).toEqual({ account, key, token });
  });

  it('stores the secret nowhere', async () => {
    const stores = await openTestStores();
    const { credential, token } = await (await minting(stores)).mint();
    const rows = await stores.stored('SELECT * FROM upload_tokens');
    expect(holdText(rows, token.id)).toBe(true);
    expect(holdText(rows, credential.slice(5, 45))).toBe(false);
  });

  it('lets no token live longer than its key', async () => {
    const stores = await openTestStores();
    const { key, mint } = await minting(stores, { lifetimeMs: 10_000 });
    expect((await mint({ lifetimeMs: 60_000 })).token.expiresAt).toBe(key.expiresAt);
    expect((await mint({ lifetimeMs: 9_000 })).token.expiresAt).toBe(stores.clock.now() + 9_000);
  });

  it.each([
    ['hobby', { expire: { hours: 167 } }, 'Enterprise'],
    ['pro', { expire: { hours: 167 } }, 'Enterprise'],
    ['hobby', { metadata: { a: 'b' } }, 'Pro'],
  ] as const)(
    'throws UPGRADE_REQUIRED for an account on %s that pins %j, and names the needed plan',
    async (plan, pins, says) => {
      const stores = await openTestStores();
      const { mint } = await minting(stores, {}, plan);
      await expect(mint({ pins })).rejects.toMatchObject({
        code: 'UPGRADE_REQUIRED',
        message: expect.stringContaining(says),
      });
      expect(await stores.stored('SELECT 1 FROM upload_tokens')).toEqual([]);
    },
  );

  it.each([
    ['hobby', { metadata: {} }],
    ['hobby', { expire: { hours: 168 } }],
    ['hobby', { expire: null }],
    ['pro', { metadata: { a: 'b' } }],
    ['enterprise', { expire: { hours: 1 } }],
  ] as ReadonlyArray<[Account['plan'], object]>)('lets an account on %s pin %j', async (plan, pins) => {
    const { mint } = await minting(await openTestStores(), {}, plan);
    expect((await mint({ pins })).token.pins).toEqual(pins);
  });

  it('throws ACCESS_DENIED when its key was revoked, expired or got another secret meanwhile', async () => {
    const stores = await openTestStores();
    const [revoked, expired, rotated] = [
      await minting(stores),
      await minting(stores, { lifetimeMs: 5 }),
      await minting(stores),
    ];
    await revokeKey(stores, revoked.key.id);
    stores.clock.advance(5);
    await regenerateKey(stores, { accountId: rotated.account.id, keyId: rotated.key.id, asker: asker(rotated.key.id) });
    for (const { mint } of [revoked, expired, rotated]) await expect(mint()).rejects.toMatchObject(denied);
    expect(await stores.stored('SELECT 1 FROM upload_tokens')).toEqual([]);
  });
});
