import { inBatches } from '../in-batches.ts';
import { deliveriesKnownMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

/** Forgets deliveries of git hosts that were taken more than 30 days before `now`, and answers how many. May run at any time, and twice. */
export async function forgetDeliveries(
  { metadata }: { readonly metadata: Writes<'gitDeliveries'> },
  now: number,
): Promise<number> {
  return inBatches({ metadata }, (tx, limit) => tx.gitDeliveries.forgetBefore(now - deliveriesKnownMs, limit));
}
