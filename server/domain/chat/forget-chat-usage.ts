import { dayMs, startOfDay } from '../account/usage-days.ts';
import { inBatches } from '../jobs/in-batches.ts';
import { chatUsageKeptMs } from '../limits.ts';
import type { Metadata } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

/** They count nowhere any more; so long they stay for whoever looks into the database. */
const leasesKeptMs = dayMs;

/** Removes the usage of days that are over for long, and leases that nobody ended; answers how many days. May run at any time, and twice. */
export async function forgetChatUsage({ metadata }: Deps, now: number): Promise<number> {
  await inBatches({ metadata }, (tx, limit) => tx.chat.forgetLeasesBefore(now - leasesKeptMs, limit));
  return inBatches({ metadata }, (tx, limit) => tx.chat.forgetDaysBefore(startOfDay(now - chatUsageKeptMs), limit));
}
