import { describe, expect, it } from 'vitest';

import { accountId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of reservations. */
export function reservationsConformance(store: StoreInTest): void {
  const { name, write, account } = store;

  describe(`${name}: reservations`, () => {
    const reserve = (id: string, sizeBytes: number, quotaBytes: number, of = accountId) =>
      write((tx) => tx.reservations.add({ id, accountId: of, sizeBytes, blobId: `${id}-blob` }, quotaBytes));

    it('reserve bytes up to the quota, with usage and other reservations, and change nothing beyond it', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 10, objects: 1 }));
      expect(await reserve('r1', 20, 100)).toBe(true);
      expect(await reserve('r2', 71, 100)).toBe(false);
      expect(await reserve('r3', 70, 100)).toBe(true);
      expect(await reserve('r4', 1, 100)).toBe(false);
      expect(await account()).toMatchObject({ reservedBytes: 90, usedBytes: 10 });
      const all = await write((tx) => tx.reservations.all());
      expect(all.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        { id: 'r1', accountId, sizeBytes: 20, blobId: 'r1-blob' },
        { id: 'r3', accountId, sizeBytes: 70, blobId: 'r3-blob' },
      ]);
      expect(await write((tx) => tx.reservations.ofOwner(''))).toHaveLength(2);
      expect(await write((tx) => tx.reservations.ofOwner('another'))).toEqual([]);
    });

    it('reserve nothing for an account that does not exist', async () => {
      expect(await reserve('r', 1, 100, 'nobody')).toBe(false);
    });

    it('grow exactly up to the quota', async () => {
      await reserve('r', 10, 100);
      const extend = (byBytes: number, id = 'r') => write((tx) => tx.reservations.extend(id, byBytes, 100));
      expect(await extend(91)).toBe(false);
      expect((await account()).reservedBytes).toBe(10);
      expect(await extend(90)).toBe(true);
      expect(await extend(1)).toBe(false);
      expect(await extend(1, 'nothing')).toBe(false);
      expect((await write((tx) => tx.reservations.all()))[0]).toMatchObject({ sizeBytes: 100 });
    });

    it('release their bytes only once', async () => {
      await reserve('r1', 10, 100);
      await reserve('r2', 5, 100);
      await write((tx) => tx.reservations.extend('r1', 7, 100));
      await write((tx) => tx.reservations.release('r1'));
      await write((tx) => tx.reservations.release('r1'));
      expect((await account()).reservedBytes).toBe(5);
      expect(await write((tx) => tx.reservations.all())).toHaveLength(1);
    });

    it('never exceed the quota together when they come in parallel', async () => {
      const held = await Promise.all(Array.from({ length: 40 }, (_, number) => reserve(`r${number}`, 7, 100)));
      expect(held.filter(Boolean)).toHaveLength(14);
      const grown = await Promise.all(
        Array.from({ length: 10 }, () => write((tx) => tx.reservations.extend('r0', 1, 100))),
      );
      expect(grown.filter(Boolean)).toHaveLength(2);
      expect((await account()).reservedBytes).toBe(100);
    });

    const mib = 1_048_576;
    const countInFlight = (
      id: string,
      byBytes: number,
      { addedBytes = byBytes, quotaBytes = 10 * mib, beyondBytes = mib } = {},
    ) => write((tx) => tx.reservations.countInFlight(id, { byBytes, addedBytes, quotaBytes, beyondBytes }));

    it('let bytes be in flight beyond the free quota, together by the allowed amount and no more', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 4 * mib, objects: 1 }));
      await reserve('r1', 0, 10 * mib);
      await reserve('r2', 2 * mib, 10 * mib);
      expect(await countInFlight('r1', 4 * mib)).toBe(true);
      expect(await countInFlight('r2', mib + 1)).toBe(false);
      expect(await countInFlight('r2', mib)).toBe(true);
      expect(await countInFlight('r1', 1)).toBe(false);
      expect(await countInFlight('nothing', 1)).toBe(false);
      expect(await account()).toMatchObject({ usedBytes: 4 * mib, reservedBytes: 2 * mib, inFlightBytes: 5 * mib });
    });

    it('refuse bytes that cannot fit, and accept those that add nothing even after the quota has shrunk', async () => {
      await write((tx) => tx.accounts.addUsage(accountId, { bytes: 4 * mib, objects: 1 }));
      await reserve('r', 0, 10 * mib);
      expect(await countInFlight('r', 1, { addedBytes: 6 * mib + 1 })).toBe(false);
      expect(await countInFlight('r', 1, { addedBytes: 6 * mib })).toBe(true);
      expect(await countInFlight('r', 1, { quotaBytes: mib })).toBe(false);
      expect(await countInFlight('r', mib - 1, { addedBytes: 0, quotaBytes: mib })).toBe(true);
      expect(await countInFlight('r', 1, { addedBytes: 0, quotaBytes: mib })).toBe(false);
    });

    it('cannot reserve bytes when the bytes in flight exceed the maximum on the disk', async () => {
      await reserve('r', 0, 10 * mib);
      await countInFlight('r', 150 * mib, { addedBytes: 0, beyondBytes: 200 * mib });
      expect(await reserve('r1', 53 * mib, 60 * mib)).toBe(true);
      expect(await reserve('r2', 6 * mib, 60 * mib)).toBe(true);
      await countInFlight('r', 42 * mib, { addedBytes: 0, beyondBytes: 300 * mib });
      expect(await reserve('r3', 1, 60 * mib)).toBe(true);
      await countInFlight('r', 10 * mib, { addedBytes: 0, beyondBytes: 300 * mib });
      expect(await reserve('r4', 1, 60 * mib)).toBe(false);
    });

    it('do not count reserved or released bytes as in flight', async () => {
      await reserve('r1', 0, 10 * mib);
      await countInFlight('r1', 3 * mib);
      await write((tx) => tx.reservations.setInFlight('r1', mib));
      expect(await account()).toMatchObject({ inFlightBytes: mib });
      await write((tx) => tx.reservations.setInFlight('nothing', 0));
      await write((tx) => tx.reservations.release('r1'));
      expect(await account()).toMatchObject({ reservedBytes: 0, inFlightBytes: 0 });
    });

    it('report a blob to delete after the commit', async () => {
      await write(async (tx) => {
        await tx.reservations.markForDeletion('b');
        expect(store.deletionMarks()).toBe(0);
      });
      expect(store.deletionMarks()).toBe(1);
      expect(await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual(['b']);
    });
  });
}
