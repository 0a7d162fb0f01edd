import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Metadata<'chunkedUploads'>;
}

/** Rows in one transaction: few enough that requests in between do not notice. */
const partsAtOnce = 500;

/** Uploads read at a time. */
const batchSize = 100;

/**
 * Removes the parts that closed uploads have left, and dooms the blobs of those that no file took. Whatever ends it in between, the
 * next run goes on there. May run twice at once.
 */
export async function clearClosedUploads({ metadata }: Deps): Promise<void> {
  for (;;) {
    const batch = await metadata.read.chunkedUploads.withPartsLeft(batchSize);
    if (batch.length === 0) return;
    for (const id of batch) while (await metadata.atomically((tx) => tx.chunkedUploads.clearClosed(id, partsAtOnce)));
  }
}
