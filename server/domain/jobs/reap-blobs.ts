import type { BlobStore } from '../ports/blobs.ts';
import type { Metadata } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';

/**
 * Marks blobs for deletion that ended rows of a feature still name. The next run continues one that was interrupted. Two
 * runs may overlap.
 */
export type MarkBlobs = (deps: { readonly metadata: Metadata }) => Promise<void>;

interface Deps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'delete'>;
  /** What marks the blobs that rows of features have just let go. */
  readonly blobMarkers: readonly MarkBlobs[];
}

const batchSize = 100;

/**
 * Removes blobs that no row names any more. After a crash the next run finds the same blobs again. If the store cannot
 * remove a blob, the others of its batch are still removed, so that one bad blob does not stop the rest.
 *
 * @returns how many blobs were removed
 * @throws the store's error for the first blob that it could not remove
 */
export async function reapBlobs({ metadata, blobs, blobMarkers }: Deps): Promise<number> {
  for (const mark of blobMarkers) await mark({ metadata });
  return sweep(
    batchSize,
    (limit) => metadata.atomically((tx) => tx.contents.blobsToDelete(limit)),
    async (marked) => {
      const outcomes = await Promise.allSettled(marked.map((blobId) => blobs.delete(blobId)));
      const gone = marked.filter((_, index) => outcomes[index]!.status === 'fulfilled');
      if (gone.length > 0) await metadata.atomically((tx) => tx.contents.forgetDeleted(gone));
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) throw failure.reason;
      return gone.length;
    },
  );
}
