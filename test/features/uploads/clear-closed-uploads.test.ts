import { describe, expect, it } from 'vitest';

import { clearClosedUploads } from '#server/features/uploads/clear-closed-uploads.ts';
import { forgetClosedUploads } from '#server/features/uploads/forget-closed-uploads.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import { openTestStores } from '#test/support/stores.ts';
import { Uploads } from './uploads.ts';

const day = 86_400_000;

/** Makes an aborted upload with this many parts. */
async function aborted(parts: number) {
  const stores = await openTestStores();
  const uploads = new Uploads(stores, await stores.account({ plan: 'enterprise' }));
  const handle = await uploads.start();
  await uploads.fake(
    handle,
    Array.from({ length: parts }, (_, at) => at + 1),
    1000,
  );
  await uploads.abort(handle);
  return {
    stores,
    uploads,
    left: () => stores.metadata.read.chunkedUploads.withPartsLeft(10),
    toDelete: async () => (await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(100_000))).length,
  };
}

describe('clearClosedUploads()', () => {
  it('clears the remaining parts of a very large upload, a few at a time', async () => {
    const { stores, uploads, left, toDelete } = await aborted(1801);
    expect([await uploads.reservedBytes(), (await left()).length, await toDelete()]).toEqual([0, 1, 500]);
    await clearClosedUploads(stores);
    expect([await left(), await toDelete()]).toEqual([[], 1801]);
    await stores.close();
  });

  it('has nothing to do for an upload of few parts', async () => {
    const { stores, left, toDelete } = await aborted(499);
    expect([await left(), await toDelete()]).toEqual([[], 499]);
    await stores.close();
  });

  it('continues where a crash has ended it, and keeps the upload until then', async () => {
    const { stores, left, toDelete } = await aborted(1801);
    const crash = new Error('crash');
    let calls = 0;
    const atomically: typeof stores.metadata.atomically = (work) =>
      ++calls === 2 ? Promise.reject(crash) : stores.metadata.atomically(work);
    await expect(clearClosedUploads({ metadata: { read: stores.metadata.read, atomically } })).rejects.toBe(crash);
    expect(await toDelete()).toBe(1000);
    expect(await forgetClosedUploads(stores, stores.clock.now() + 2 * day)).toBe(0);
    await Promise.all([clearClosedUploads(stores), clearClosedUploads(stores)]);
    expect([await left(), await toDelete()]).toEqual([[], 1801]);
    expect(await forgetClosedUploads(stores, stores.clock.now() + 2 * day)).toBe(1);
    await stores.close();
  });

  it('runs before the blobs are reaped', async () => {
    const { stores, left, toDelete } = await aborted(700);
    expect(await reapBlobs({ ...stores, blobMarkers })).toBe(700);
    expect([await left(), await toDelete()]).toEqual([[], 0]);
    await stores.close();
  });
});
