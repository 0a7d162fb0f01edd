import { describe, expect, it } from 'vitest';

import { accountId, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of legacy imports. */
export function legacyImportsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: legacy imports`, () => {
    it('keep the last import of each key', async () => {
      const first = { accountId, key: 'a/ä.png', sha256: 'f'.repeat(64) };
      const next = { ...first, sha256: '0'.repeat(64) };
      await write((tx) => tx.legacyImports.save(first));
      expect(await store.metadata.read.legacyImports.find(first)).toEqual(first);
      expect(await write(async (tx) => (await tx.legacyImports.save(next), tx.legacyImports.find(first)))).toEqual(
        next,
      );
      expect(await store.metadata.read.legacyImports.find({ ...first, accountId: otherId })).toBeUndefined();
      expect(await store.metadata.read.legacyImports.find({ ...first, key: 'a' })).toBeUndefined();
    });
  });
}
