import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeKey, revokeLiveKey } from '#server/domain/access/revoke-key.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { cleanUserAgent, recordActivity } from '#server/domain/activity/record-activity.ts';
import { deleteObject, deleteObjects } from '#server/features/files/deletion/delete-objects.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { store, storeAll } from '#test/features/files/stored.ts';

const actor: Actor = { sourceIp: '203.0.113.7', userAgent: 'curl/8.14.1', auth: 'api_key' };
const system: Actor = { sourceIp: null, userAgent: null, auth: 'system' };

/** Returns the recorded entries, oldest first. */
async function recorded(stores: TestStores, accountId: string) {
  return (await stores.metadata.read.activity.scan({ accountId, limit: 100 }))
    .toReversed()
    .map(({ type, object, details, actor: by }) => ({ type, object, details, actor: by }));
}

describe('recordActivity()', () => {
  it('records at the instant of the transaction, and nothing when the transaction fails', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const record = {
      accountId,
      type: 'rules.changed',
      object: null,
      details: { rules: 3 },
      actor: { ...actor, userAgent: ' a\u0000b ' },
    } as const;
    await stores.metadata.atomically((tx) => recordActivity(tx, record));
    const failing = stores.metadata.atomically(async (tx) => {
      await recordActivity(tx, record);
      throw new Error('a refusal');
    });
    await expect(failing).rejects.toThrow('a refusal');
    expect(await stores.metadata.read.activity.scan({ accountId, limit: 10 })).toEqual([
      { ...record, actor: { ...actor, userAgent: 'a b' }, sequence: 1, at: stores.clock.now() },
    ]);
  });

  it('records each deleted file once, with the actor', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const [a, b, c] = await storeAll(
      stores,
      ['a', 'b', 'c'].map((key) => ({ accountId, key })),
    );
    const at = (key: string) => ({ accountId, space: 'public', key });
    await deleteObject(stores, { address: a!, actor });
    await expect(deleteObject(stores, { address: a!, actor })).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    await deleteObjects(stores, { accountId: a!.accountId, addresses: [b!, a!, c!, b!], actor });
    expect(await recorded(stores, accountId)).toEqual(
      ['a', 'b', 'c'].map((key) => ({ type: 'object.deleted', object: at(key), details: { size: 3 }, actor })),
    );
  });

  it('records an expired file that a request finds as deleted by the server', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const object = await store(stores, { accountId, key: 'a', expiresAt: stores.clock.now() });
    await expect(deleteObject(stores, { address: object, actor })).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    expect(await recorded(stores, accountId)).toEqual([
      {
        type: 'object.deleted',
        object: { accountId, space: 'public', key: 'a' },
        details: { size: 3, expired: true },
        actor: system,
      },
    ]);
  });

  it('records that keys are made, renewed and revoked, with the actor, and nothing of their secrets', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const { key: full } = await createKey(stores, { accountId, name: 'full', scopes: ['*'] });
    const asker = { keyId: full.id, actor };
    const { key, credential } = await createKey(stores, { accountId, name: 'Website', scopes: ['blob:read'], asker });
    const renewed = await regenerateKey(stores, { accountId, keyId: key.id, asker });
    await revokeLiveKey(stores, { accountId, keyId: key.id, asker });
    await revokeKey(stores, full.id);
    await revokeKey(stores, full.id);
    const details = { key: key.id, name: 'Website' };
    expect(await recorded(stores, accountId)).toEqual([
      { type: 'key.created', object: null, details: { key: full.id, name: 'full' }, actor: system },
      { type: 'key.created', object: null, details, actor },
      { type: 'key.created', object: null, details: { ...details, regenerated: true }, actor },
      { type: 'key.revoked', object: null, details, actor },
      { type: 'key.revoked', object: null, details: { key: full.id, name: 'full' }, actor: system },
    ]);
    const text = JSON.stringify(await recorded(stores, accountId));
    for (const secret of [credential, renewed.credential]) expect(text).not.toContain(secret.slice(4, 20));
  });

  it('records no key that was refused', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    await Promise.allSettled(
      Array.from({ length: 14 }, () => createKey(stores, { accountId, name: 'x', scopes: ['*'] })),
    );
    expect(await recorded(stores, accountId)).toHaveLength(10);
  });
});

describe('cleanUserAgent()', () => {
  it.each<[string | null, string | null]>([
    [null, null],
    ['', null],
    [' ', null],
    ['\u0000\u001b', null],
    ['curl/8.14.1', 'curl/8.14.1'],
    [' a ', 'a'],
    ['a\r\nSet-Cookie: b', 'a Set-Cookie: b'],
    ['a\tb', 'a b'],
    ['\u001b[31mred', '[31mred'],
    ['a\u0085b', 'a b'],
    ['a\u202eb', 'a b'],
    ['a\u2028b', 'a b'],
    ['a\ud800b', 'a\ufffdb'],
    ['x'.repeat(512), 'x'.repeat(512)],
    ['x'.repeat(513), 'x'.repeat(512)],
    ['é'.repeat(300), 'é'.repeat(256)],
    [`x${'é'.repeat(300)}`, `x${'é'.repeat(255)}`],
    ['😀'.repeat(200), '😀'.repeat(128)],
  ])('turns %j into %j', (text, clean) => {
    expect(cleanUserAgent(text)).toBe(clean);
  });

  it('returns at most 512 bytes of readable text for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
        const clean = cleanUserAgent(text);
        expect(Buffer.byteLength(clean ?? '')).toBeLessThanOrEqual(512);
        expect(clean ?? 'x').toMatch(/^[^\p{Cc}\p{Cs}]+$/u);
      }),
    );
  });
});
