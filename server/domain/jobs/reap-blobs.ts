import { clearClosedUploads } from '../chunked/clear-closed-uploads.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';

interface Deps {
  readonly metadata: Metadata<'chunkedUploads' | 'contents'>;
  readonly blobs: Pick<BlobStore, 'delete'>;
}

const batchSize = 100;

/**
 * Removes the bytes of blobs that no row names any more, and before them the rows of parts that closed uploads have
 * left: rows go first, bytes after them. Answers how many blobs were removed. A crash in between only means that the
 * next run finds them again. When the store cannot remove one, the others of its batch go all the same, so that one
 * that never can be removed does not keep all.
 *
 * @throws what the store said of the first one that it could not remove
 */
export async function reapBlobs({ metadata, blobs }: Deps): Promise<number> {
  await clearClosedUploads({ metadata });
  return sweep(
    batchSize,
    (limit) => metadata.atomically((tx) => tx.contents.doomedBlobs(limit)),
    async (doomed) => {
      const outcomes = await Promise.allSettled(doomed.map((blobId) => blobs.delete(blobId)));
      const gone = doomed.filter((_, index) => outcomes[index]!.status === 'fulfilled');
      if (gone.length > 0) await metadata.atomically((tx) => tx.contents.forgetDoomed(gone));
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) throw failure.reason;
      return gone.length;
    },
  );
}
