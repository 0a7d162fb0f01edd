import { endedSharesKeptMs } from '../limits.ts';
import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

/** Longer than any answer that still sends bytes of a download. */
const downloadsKeptMs = 86_400_000;

/** Rows in one transaction: few enough that requests in between do not notice. */
const batchRows = 500;

/**
 * Removes links 30 days after they expired, until when they say so, and spent downloads a day after nobody can go on with them;
 * answers how many links. May run at any time, and twice.
 */
export async function forgetShares({ metadata }: Deps, now: number): Promise<number> {
  await inBatches(() => metadata.atomically((tx) => tx.shares.forgetDownloadsBefore(now - downloadsKeptMs, batchRows)));
  return inBatches(() => metadata.atomically((tx) => tx.shares.forgetExpiredBefore(now - endedSharesKeptMs, batchRows)));
}

async function inBatches(forget: () => Promise<number>): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await forget();
    forgotten += batch;
    if (batch < batchRows) return forgotten;
  }
}
