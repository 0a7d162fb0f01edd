import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'delete'>;
}

const batchSize = 100;

/**
 * Removes the bytes of blobs that no row names any more: rows go first, bytes after them. Answers how many were removed.
 * A crash in between only means that the next run finds them again.
 */
export async function reapBlobs({ metadata, blobs }: Deps): Promise<number> {
  let removed = 0;
  for (;;) {
    const doomed = await metadata.read.contents.doomedBlobs(batchSize);
    if (doomed.length === 0) return removed;
    await Promise.all(doomed.map((blobId) => blobs.delete(blobId)));
    await metadata.atomically((tx) => tx.contents.forgetDoomed(doomed));
    removed += doomed.length;
  }
}

/** At start: gives back the quota of uploads that an earlier process left unfinished, and dooms their bytes. */
export async function abandonReservations({ metadata }: Pick<Deps, 'metadata'>): Promise<number> {
  return metadata.atomically(async (tx) => {
    const abandoned = await tx.reservations.all();
    for (const { id, blobId } of abandoned) {
      await tx.reservations.release(id);
      await tx.reservations.doom(blobId);
    }
    return abandoned.length;
  });
}
