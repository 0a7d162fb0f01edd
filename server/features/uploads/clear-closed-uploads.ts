import type { Metadata } from '#server/domain/ports/metadata.ts';
import { sweep } from '#server/domain/sweep.ts';

/** Rows in one transaction, few enough not to delay requests. */
const partsAtOnce = 500;

/** Uploads read at a time. */
const batchSize = 100;

/**
 * Removes the remaining parts of closed uploads, and marks for deletion the blobs that no file uses. The next run
 * continues one that was interrupted. Two runs may overlap.
 */
export async function clearClosedUploads({
  metadata,
}: {
  readonly metadata: Metadata<'chunkedUploads'>;
}): Promise<void> {
  await sweep(
    batchSize,
    (limit) => metadata.read.chunkedUploads.withPartsLeft(limit),
    async (closed) => {
      for (const id of closed)
        while (await metadata.atomically((tx) => tx.chunkedUploads.clearClosed(id, partsAtOnce)));
      return closed.length;
    },
  );
}
