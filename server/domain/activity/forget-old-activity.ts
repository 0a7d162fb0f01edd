import { inBatches } from '../in-batches.ts';
import { activityKeptMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'activity'>;
  readonly clock: Clock;
}

/** Removes activity that is older than 90 days, in batches, and answers how much. May run at any time, and twice. */
export async function forgetOldActivity({ metadata, clock }: Deps): Promise<number> {
  const keptSince = clock.now() - activityKeptMs;
  return inBatches({ metadata }, (tx, limit) => tx.activity.forgetBefore(keptSince, limit));
}
