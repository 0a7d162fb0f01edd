import { inBatches } from '../in-batches.ts';
import { chunkedUploadKeptMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'chunkedUploads'>;
}

/** Removes what is remembered of uploads that were closed 24 hours before `now`, and answers how many. May run twice at once. */
export async function forgetClosedUploads({ metadata }: Deps, now: number): Promise<number> {
  return inBatches({ metadata }, (tx, limit) => tx.chunkedUploads.forgetClosed(now - chunkedUploadKeptMs, limit));
}
