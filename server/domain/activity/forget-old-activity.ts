import { activityKeptMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  readonly clock: Clock;
}

/** Entries in one transaction: few enough that requests in between do not notice. */
const batchEntries = 500;

/** Removes activity that is older than 90 days, in batches, and answers how much. May run at any time, and twice. */
export async function forgetOldActivity({ metadata, clock }: Deps): Promise<number> {
  const keptSince = clock.now() - activityKeptMs;
  let forgotten = 0;
  for (;;) {
    const batch = await metadata.atomically((tx) => tx.activity.forgetBefore(keptSince, batchEntries));
    forgotten += batch;
    if (batch < batchEntries) return forgotten;
  }
}
