import type { Metadata } from '../ports/metadata.ts';
import { sweep } from '../sweep.ts';

interface Deps {
  readonly metadata: Metadata<'chunkedUploads'>;
}

/** Rows in one transaction: few enough that requests in between do not notice. */
const partsAtOnce = 500;

/** Uploads read at a time. */
const batchSize = 100;

/**
 * Removes the parts that closed uploads have left, and dooms the blobs of those that no file took. Whatever ends it in
 * between, the next run goes on there. May run twice at once.
 */
export async function clearClosedUploads({ metadata }: Deps): Promise<void> {
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
