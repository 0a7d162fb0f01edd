import { describe, expect, it } from 'vitest';

import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The wrapped root keys of encrypted blobs. */
export function rootKeysConformance(store: StoreInTest): void {
  const { name, write } = store;
  const root = (rootId: string, keyId: string, madeAt: number): WrappedRoot => ({
    rootId,
    keyId,
    wrapped: Buffer.from([0, 1, 255]),
    madeAt,
  });

  describe(`${name}: root keys`, () => {
    it('are listed with the newest first, once for each key that has wrapped them', async () => {
      const all = [root('aaaaaa', 'one', 1), root('bbbbbb', 'one', 2), root('aaaaaa', 'two', 1)];
      for (const each of all) await write((tx) => tx.rootKeys.add(each));
      const listed = await store.metadata.read.rootKeys.list();
      const plain = listed.map((each) => ({ ...each, wrapped: Buffer.from(each.wrapped) }));
      expect(plain).toEqual([all[1], all[0], all[2]]);
      await expect(write((tx) => tx.rootKeys.add(all[0]!))).rejects.toThrow();
    });

    it('lose what other keys have wrapped', async () => {
      for (const each of [root('aaaaaa', 'one', 1), root('aaaaaa', 'two', 1), root('bbbbbb', 'three', 2)])
        await write((tx) => tx.rootKeys.add(each));
      expect(await write((tx) => tx.rootKeys.removeOthers('two'))).toBe(2);
      expect(await write((tx) => tx.rootKeys.list())).toMatchObject([{ rootId: 'aaaaaa', keyId: 'two' }]);
    });
  });
}
