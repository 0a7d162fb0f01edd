import { describe, expect, it } from 'vitest';

import type { AuditActor } from '#server/domain/audit/audit-entry.ts';
import { makeFirstRoot } from '#server/domain/encryption/make-root.ts';
import {
  finishKeyEncryptionKeyRotation,
  rotateKey,
  KeyEncryptionKeyRotationRefused,
} from '#server/domain/encryption/rotate-key.ts';
import { keyEncryptionKey } from '#server/stores/encrypted/key-encryption-key.ts';
import { openTestStores } from '#test/support/stores.ts';

const [first, second, third] = ['1', '2', '3'].map((letter) => keyEncryptionKey(letter.repeat(32)));
const by: AuditActor = { kind: 'command_line', id: 'operator', address: null };

async function started() {
  const stores = await openTestStores();
  await makeFirstRoot(stores, first!);
  const roots = async () => stores.metadata.read.rootKeys.list();
  return { ...stores, roots };
}

describe('makeFirstRoot()', () => {
  it('makes one root key, however often it is called', async () => {
    const stores = await started();
    await makeFirstRoot(stores, first!);
    const [only, ...others] = await stores.roots();
    expect(others).toEqual([]);
    expect(first!.unwrap(only!.rootId, only!.wrapped)).toHaveLength(32);
    // Neither another key nor another name opens it.
    expect(second!.unwrap(only!.rootId, only!.wrapped)).toBeUndefined();
    expect(first!.unwrap('aaaaaa', only!.wrapped)).toBeUndefined();
  });
});

describe('rotateKey()', () => {
  it('lets both keys open the same root keys, and makes a new one', async () => {
    const stores = await started();
    const [before] = await stores.roots();
    stores.clock.advance(1_000);
    const report = await rotateKey(stores, { current: first!, next: second!, by });
    expect(report.wrappedRoots).toBe(2);
    const all = await stores.roots();
    expect(all).toHaveLength(4);
    expect(all[0]!.rootId).toBe(report.newRootId);
    for (const rootId of [before!.rootId, report.newRootId]) {
      const [one, other] = [first!, second!].map((key) => {
        const { wrapped } = all.find((root) => root.rootId === rootId && root.keyId === key.id)!;
        return key.unwrap(rootId, wrapped);
      });
      expect(Buffer.from(one!).equals(other!)).toBe(true);
    }
  });

  it('refuses the key in use, and one that is known', async () => {
    const stores = await started();
    const refused = (next = first!) => rotateKey(stores, { current: first!, next, by });
    await expect(refused()).rejects.toBeInstanceOf(KeyEncryptionKeyRotationRefused);
    await rotateKey(stores, { current: first!, next: second!, by });
    await expect(refused(second)).rejects.toBeInstanceOf(KeyEncryptionKeyRotationRefused);
    expect(await stores.roots()).toHaveLength(4);
  });

  it('changes nothing when a root key is damaged', async () => {
    const stores = await started();
    const rootId = 'broken';
    const wrapped = Buffer.alloc(60);
    await stores.metadata.atomically((tx) => tx.rootKeys.add({ rootId, keyId: first!.id, wrapped, madeAt: 1 }));
    await expect(rotateKey(stores, { current: first!, next: second!, by })).rejects.toThrow(/broken is damaged/);
    expect(await stores.roots()).toHaveLength(2);
  });
});

describe('finishKeyEncryptionKeyRotation()', () => {
  it('removes what other keys have wrapped, and records it once', async () => {
    const stores = await started();
    await rotateKey(stores, { current: first!, next: second!, by });
    expect(await finishKeyEncryptionKeyRotation(stores, { current: second!, by })).toBe(2);
    expect(await finishKeyEncryptionKeyRotation(stores, { current: second!, by })).toBe(0);
    expect((await stores.roots()).map(({ keyId }) => keyId)).toEqual([second!.id, second!.id]);
    const entries = await stores.metadata.read.audit.scan({ after: 0, limit: 10 });
    expect(entries.map(({ action, details }) => [action, Object.keys(details)])).toEqual([
      ['key_encryption_key.rotated', ['new_root', 'wrapped_roots']],
      ['key_encryption_key.rotated', ['removed_wraps']],
    ]);
  });

  it('refuses a key that does not open all root keys', async () => {
    const stores = await started();
    await rotateKey(stores, { current: first!, next: second!, by });
    await expect(finishKeyEncryptionKeyRotation(stores, { current: third!, by })).rejects.toThrow(
      /does not open the root key/,
    );
    expect(await stores.roots()).toHaveLength(4);
  });
});
