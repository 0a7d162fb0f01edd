import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

/** Longer than any request that was let in before its token expired. */
const keptMs = 86_400_000;

/** Tokens in one transaction: few enough that requests in between do not notice. */
const batchTokens = 500;

/**
 * Removes tokens a day after they expired, in batches, and answers how many. Those that a chunked upload was opened with stay
 * as long as it is known, however long that is: its browser may still come back with them. May run at any time, and twice.
 */
export async function forgetUploadTokens({ metadata }: Deps, now: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await metadata.atomically((tx) => tx.uploadTokens.forgetExpiredBefore(now - keptMs, batchTokens));
    forgotten += batch;
    if (batch < batchTokens) return forgotten;
  }
}
