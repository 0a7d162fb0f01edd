import type { Metadata } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';

/** Rows in one transaction: few enough that requests in between do not notice. */
const partsAtOnce = 500;

/** Uploads read at a time. */
const batchSize = 100;

/**
 * Removes the parts that closed uploads have left, and dooms the blobs that no file took. A run that is cut off is
 * continued by the next one. Two runs may overlap.
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
