import { inBatches } from '../in-batches.ts';
import { endedCodesKeptMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

/**
 * Removes requests for keys a day after their time ran out (until then their clients are told what became of them) and
 * sessions that are over, in batches, and answers how many. May run at any time, and twice.
 */
export async function forgetEnded(
  { metadata }: { readonly metadata: Writes<'deviceRequests' | 'sessions'> },
  now: number,
): Promise<number> {
  return inBatches(
    { metadata },
    async (tx, limit) =>
      (await tx.deviceRequests.forgetBefore(now - endedCodesKeptMs, limit)) +
      (await tx.sessions.forgetBefore(now, limit)),
  );
}
