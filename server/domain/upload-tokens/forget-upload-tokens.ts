import { inBatches } from '../in-batches.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'uploadTokens'>;
}

/** Longer than any request that was let in before its token expired. */
const keptMs = 86_400_000;

/**
 * Removes tokens a day after they expired, in batches, and answers how many. Those that a chunked upload was opened with stay
 * as long as it is known, however long that is: its browser may still come back with them. May run at any time, and twice.
 */
export async function forgetUploadTokens({ metadata }: Deps, now: number): Promise<number> {
  return inBatches({ metadata }, (tx, limit) => tx.uploadTokens.forgetExpiredBefore(now - keptMs, limit));
}
