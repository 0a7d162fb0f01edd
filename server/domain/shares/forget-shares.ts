import { inBatches } from '../in-batches.ts';
import { endedSharesKeptMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'shares'>;
}

/** An answer that is still under way has taken bytes within this time, however slow its client is. */
const downloadsKeptMs = 86_400_000;

/**
 * Removes links 30 days after they expired, until when they say so, and spent downloads a day after their last byte was taken;
 * returns how many links. May run at any time, and twice.
 */
export async function forgetShares({ metadata }: Deps, now: number): Promise<number> {
  await inBatches({ metadata }, (tx, limit) => tx.shares.forgetDownloadsBefore(now - downloadsKeptMs, limit));
  return inBatches({ metadata }, (tx, limit) => tx.shares.forgetExpiredBefore(now - endedSharesKeptMs, limit));
}
