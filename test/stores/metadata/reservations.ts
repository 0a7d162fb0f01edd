import { describe, expect, it } from 'vitest';

import { accountId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of reservations. */
export function reservationsConformance(store: StoreInTest): void {
  const { name, write, account } = store;

  describe(`${name}: reservations`, () => {
    const hold = (id: string, sizeBytes: number, quotaBytes: number, of = accountId) => write((tx) => tx.reservations.hold({ id, accountId: of, sizeBytes, blobId: `${id}-blob` }, quotaBytes));

    it('hold up to the last byte beside what is used and held, and change nothing where that is passed', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 10, objects: 1 }));
      expect(await hold('r1', 20, 100)).toBe(true);
      expect(await hold('r2', 71, 100)).toBe(false);
      expect(await hold('r3', 70, 100)).toBe(true);
      expect(await hold('r4', 1, 100)).toBe(false);
      expect(await account()).toMatchObject({ reservedBytes: 90, usedBytes: 10 });
      const all = await write((tx) => tx.reservations.all());
      expect(all.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        { id: 'r1', accountId, sizeBytes: 20, blobId: 'r1-blob' },
        { id: 'r3', accountId, sizeBytes: 70, blobId: 'r3-blob' },
      ]);
    });

    it('hold nothing for an account that does not exist', async () => {
      expect(await hold('r', 1, 100, 'nobody')).toBe(false);
    });

    it('grow up to the last byte, and not by one more', async () => {
      await hold('r', 10, 100);
      const extend = (byBytes: number, id = 'r') => write((tx) => tx.reservations.extend(id, byBytes, 100));
      expect(await extend(91)).toBe(false);
      expect((await account()).reservedBytes).toBe(10);
      expect(await extend(90)).toBe(true);
      expect(await extend(1)).toBe(false);
      expect(await extend(1, 'nothing')).toBe(false);
      expect((await write((tx) => tx.reservations.all()))[0]).toMatchObject({ sizeBytes: 100 });
    });

    it('give back what they hold, once', async () => {
      await hold('r1', 10, 100);
      await hold('r2', 5, 100);
      await write((tx) => tx.reservations.extend('r1', 7, 100));
      await write((tx) => tx.reservations.release('r1'));
      await write((tx) => tx.reservations.release('r1'));
      expect((await account()).reservedBytes).toBe(5);
      expect(await write((tx) => tx.reservations.all())).toHaveLength(1);
    });

    it('never pass the quota together, whoever comes at once', async () => {
      const held = await Promise.all(Array.from({ length: 40 }, (_, number) => hold(`r${number}`, 7, 100)));
      expect(held.filter(Boolean)).toHaveLength(14);
      const grown = await Promise.all(Array.from({ length: 10 }, () => write((tx) => tx.reservations.extend('r0', 1, 100))));
      expect(grown.filter(Boolean)).toHaveLength(2);
      expect((await account()).reservedBytes).toBe(100);
    });

    it('tell of a doomed blob after the commit', async () => {
      await write(async (tx) => {
        await tx.reservations.doom('b');
        expect(store.doomings()).toBe(0);
      });
      expect(store.doomings()).toBe(1);
      expect(await store.metadata.atomically((tx) => tx.contents.doomedBlobs(10))).toEqual(['b']);
    });
  });
}
