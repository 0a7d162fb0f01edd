import { inBatches } from '../jobs/in-batches.ts';
import { deliveriesKnownMs } from '../limits.ts';
import type { Metadata } from '../ports/metadata.ts';

/** Forgets deliveries of git hosts that were taken more than 30 days before `now`, and answers how many. May run at any time, and twice. */
export async function forgetDeliveries(
  { metadata }: { readonly metadata: Pick<Metadata, 'atomically'> },
  now: number,
): Promise<number> {
  return inBatches({ metadata }, (tx, limit) => tx.gitDeliveries.forgetBefore(now - deliveriesKnownMs, limit));
}
