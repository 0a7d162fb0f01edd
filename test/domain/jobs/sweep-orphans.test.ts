import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import { sweepOrphans } from '#server/domain/jobs/sweep-orphans.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const dayMs = 86_400_000;

async function put(stores: TestStores, count = 1): Promise<string[]> {
  const blobIds = Array.from({ length: count }, () => stores.ids.opaqueId());
  for (const blobId of blobIds) await stores.blobs.put(blobId, Readable.from([Buffer.from('bytes')]));
  return blobIds;
}

async function name(stores: TestStores, blobIds: readonly string[]): Promise<void> {
  const blobs = blobIds.map((blobId) => ({ blobId, sizeBytes: 5, inline: null }));
  await stores.metadata.atomically((tx) =>
    tx.contents.add({ id: stores.ids.opaqueId(), sizeBytes: 5 * blobs.length, crc32: 1, blobs }),
  );
}

/**
 * The real store, whose blobs are older than a day, except those of `young`. A bucket tells instants to the second, so
 * a new blob's age may be below zero.
 */
function aged(stores: TestStores, young: readonly string[] = []): Pick<BlobStore, 'ids'> {
  return {
    async *ids() {
      for await (const { blobId, sizeBytes, ageMs } of stores.blobs.ids())
        yield { blobId, sizeBytes, ageMs: young.includes(blobId) ? ageMs : ageMs + 2 * dayMs };
    },
  };
}

const stored = async (stores: TestStores) => (await Array.fromAsync(stores.blobs.ids(), ({ blobId }) => blobId)).sort();
const blobUpkeep = { hasOrphans: true };

describe('sweepOrphans()', () => {
  it('removes blobs without a row that are older than a day, and no others', async () => {
    const stores = await openTestStores();
    const { metadata } = stores;
    const [named, old, young] = [await put(stores, 250), await put(stores, 150), await put(stores, 3)];
    await name(stores, named);
    const account = await stores.account();
    const [reserved] = await put(stores);
    await metadata.atomically((tx) =>
      tx.reservations.add({ id: 'r', accountId: account.id, sizeBytes: 5, blobId: reserved! }, 1000),
    );
    expect(await sweepOrphans({ metadata, blobs: aged(stores, young), blobUpkeep })).toBe(old.length);
    await reapBlobs({ ...stores, blobMarkers });
    expect(await stored(stores)).toEqual([...named, ...young, reserved!].sort());
    expect(await sweepOrphans({ metadata, blobs: aged(stores, young), blobUpkeep })).toBe(0);
  });

  it('keeps a blob that gets a row after it was looked at', async () => {
    const stores = await openTestStores();
    const late = await put(stores, 5);
    const { metadata } = stores;
    const blobs: Pick<BlobStore, 'ids'> = {
      async *ids() {
        yield* aged(stores).ids();
        // The first look has not happened before the list ends, so the row comes at its end.
        await name(stores, late.slice(0, 3));
      },
    };
    expect(await sweepOrphans({ metadata, blobs, blobUpkeep })).toBe(2);
    await reapBlobs({ ...stores, blobMarkers });
    expect(await stored(stores)).toEqual(late.slice(0, 3).sort());
  });

  it('marks nothing when most blobs have no row, because the database may be the wrong one', async () => {
    const stores = await openTestStores();
    const all = await put(stores, 200);
    await name(stores, all.slice(0, 90));
    const { metadata } = stores;
    await expect(sweepOrphans({ metadata, blobs: aged(stores), blobUpkeep })).rejects.toThrow(
      '110 of 200 blobs have no row in the database.',
    );
    await reapBlobs({ ...stores, blobMarkers });
    expect(await stored(stores)).toHaveLength(200);
  });

  it('aborts puts that were begun more than a day ago', async () => {
    const stores = await openTestStores();
    const asked: number[] = [];
    const upkeep = { ...blobUpkeep, abortUploads: async (olderThanMs: number) => asked.push(olderThanMs) };
    expect(await sweepOrphans({ ...stores, blobUpkeep: upkeep })).toBe(1);
    expect(asked).toEqual([dayMs]);
  });

  it('does not look at a store that has no orphans', async () => {
    const stores = await openTestStores();
    await put(stores, 2);
    expect(await sweepOrphans({ metadata: stores.metadata, blobs: aged(stores), blobUpkeep: {} })).toBe(0);
  });
});
