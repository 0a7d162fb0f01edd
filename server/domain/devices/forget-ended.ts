import { endedCodesKeptMs } from '../limits.ts';
import type { Metadata } from '../ports/metadata.ts';

/** Rows in one transaction: few enough that requests in between do not notice. */
const batchRows = 500;

/**
 * Removes requests for keys a day after their time ran out (until then their clients are told what became of them) and
 * sessions that are over, in batches, and answers how many. May run at any time, and twice.
 */
export async function forgetEnded({ metadata }: { readonly metadata: Pick<Metadata, 'atomically'> }, now: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await metadata.atomically(
      async (tx) => (await tx.deviceRequests.forgetBefore(now - endedCodesKeptMs, batchRows)) + (await tx.sessions.forgetBefore(now, batchRows)),
    );
    forgotten += batch;
    if (batch < batchRows) return forgotten;
  }
}
