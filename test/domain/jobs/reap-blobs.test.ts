import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { abandonReservations } from '#server/features/files/upload/abandon-reservations.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { overTransactions } from '#server/domain/ports/decorated.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

/** Stores new blobs with bytes, and marks them for deletion. */
async function mark(stores: TestStores, count: number): Promise<string[]> {
  const blobIds = Array.from({ length: count }, () => stores.ids.opaqueId());
  for (const blobId of blobIds) await stores.blobs.put(blobId, Readable.from([Buffer.from('bytes')]));
  await stores.metadata.atomically(async (tx) => {
    for (const blobId of blobIds) await tx.reservations.markForDeletion(blobId);
  });
  return blobIds;
}

const stored = async (stores: TestStores) => (await Array.fromAsync(stores.blobs.ids(), ({ blobId }) => blobId)).sort();

describe('reapBlobs()', () => {
  it('removes the bytes of all marked blobs, in several batches, and of no other', async () => {
    const stores = await openTestStores();
    const kept = stores.ids.opaqueId();
    await stores.blobs.put(kept, Readable.from([Buffer.from('kept')]));
    await mark(stores, 205);
    expect(await reapBlobs({ ...stores, blobMarkers })).toBe(205);
    expect(await stored(stores)).toEqual([kept]);
    expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual([]);
    expect(await reapBlobs({ ...stores, blobMarkers })).toBe(0);
  });

  it('forgets a blob whose bytes are already gone, as after a crash in between', async () => {
    const stores = await openTestStores();
    const [gone] = await mark(stores, 2);
    await stores.blobs.delete(gone!);
    expect(await reapBlobs({ ...stores, blobMarkers })).toBe(2);
  });

  it('removes the bytes before it forgets them', async () => {
    const stores = await openTestStores();
    await mark(stores, 1);
    const crash = new Error('crash');
    const metadata = overTransactions(stores.metadata, ({ contents }) => ({
      contents: { ...contents, forgetDeleted: () => Promise.reject(crash) },
    }));
    await expect(reapBlobs({ metadata, blobs: stores.blobs, blobMarkers })).rejects.toBe(crash);
    expect(await stored(stores)).toEqual([]);
    expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toHaveLength(1);
  });

  it('removes the others when one blob cannot be removed, keeps that one, and throws', async () => {
    const stores = await openTestStores();
    const [stuck] = (await mark(stores, 150)).toSorted();
    const fault = new BlobStoreUnavailable('broken', undefined);
    let isBroken = true;
    const blobs = {
      delete: (blobId: string) => (isBroken && blobId === stuck ? Promise.reject(fault) : stores.blobs.delete(blobId)),
    };
    for (let run = 0; run < 3; run++)
      await expect(reapBlobs({ metadata: stores.metadata, blobs, blobMarkers })).rejects.toBe(fault);
    expect(await stored(stores)).toEqual([stuck]);
    expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual([stuck]);
    isBroken = false;
    expect(await reapBlobs({ metadata: stores.metadata, blobs, blobMarkers })).toBe(1);
  });

  it('may run twice at once', async () => {
    const stores = await openTestStores();
    await mark(stores, 120);
    await Promise.all([reapBlobs({ ...stores, blobMarkers }), reapBlobs({ ...stores, blobMarkers })]);
    expect(await stored(stores)).toEqual([]);
  });
});

describe('abandonReservations()', () => {
  it('releases the quota of unfinished uploads and marks their bytes for deletion', async () => {
    const stores = await openTestStores();
    const [a, b] = [await stores.account(), await stores.account()];
    const [first, second, third] = Array.from({ length: 3 }, () => stores.ids.opaqueId());
    await stores.metadata.atomically(async (tx) => {
      await tx.reservations.add({ id: 'r1', accountId: a.id, sizeBytes: 10, blobId: first! }, 100);
      await tx.reservations.add({ id: 'r2', accountId: a.id, sizeBytes: 20, blobId: second! }, 100);
      await tx.reservations.add({ id: 'r3', accountId: b.id, sizeBytes: 30, blobId: third! }, 100);
    });
    expect(await abandonReservations(stores)).toBe(3);
    for (const { id } of [a, b]) expect((await stores.metadata.read.accounts.find(id))!.reservedBytes).toBe(0);
    expect((await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).sort()).toEqual(
      [first, second, third].sort(),
    );
    expect(await abandonReservations(stores)).toBe(0);
  });
});
