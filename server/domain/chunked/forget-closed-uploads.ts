import { chunkedUploadKeptMs } from '../limits.ts';
import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

/** Rows in one transaction: few enough that requests in between do not notice. */
const batchSize = 500;

/** Removes what is remembered of uploads that were closed 24 hours before `now`, and answers how many. May run twice at once. */
export async function forgetClosedUploads({ metadata }: Deps, now: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await metadata.atomically((tx) => tx.chunkedUploads.forgetClosed(now - chunkedUploadKeptMs, batchSize));
    forgotten += batch;
    if (batch < batchSize) return forgotten;
  }
}
