import { BlobMissing, type BlobQuarantine, type BlobStore, type StoredBlob } from '#server/domain/ports/blobs.ts';

/**
 * Keeps blobs in a second store of the same kind. They are copied before they are removed, so a crash in between leaves
 * both.
 *
 * @param open opens the second store, at the first call that needs it
 */
export function blobQuarantine(store: BlobStore, open: () => Promise<BlobStore>): BlobQuarantine {
  return {
    async put(blobId) {
      if (await copied(store, await open(), blobId)) await store.delete(blobId);
    },
    async takeBack(blobId) {
      const kept = await open();
      if (!(await copied(kept, store, blobId))) return false;
      await kept.delete(blobId);
      return true;
    },
    async *ids(): AsyncGenerator<StoredBlob> {
      yield* (await open()).ids();
    },
    delete: async (blobId) => (await open()).delete(blobId),
  };
}

/** Copies a blob over a copy of an earlier call. Returns false if there is no such blob. */
async function copied(from: BlobStore, to: BlobStore, blobId: string): Promise<boolean> {
  try {
    const bytes = await from.open(blobId);
    await to.delete(blobId);
    await to.put(blobId, bytes);
    return true;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}
