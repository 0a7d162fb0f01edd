import { startOfDay } from '../account/usage-days.ts';
import { inBatches } from '../in-batches.ts';
import { chatUsageKeptMs } from '../limits.ts';
import type { Writes } from '../ports/metadata.ts';

interface Deps {
  readonly metadata: Writes<'chat'>;
}

/** Removes the usage of days that are over for long; answers how many. May run at any time, and twice. */
export function forgetChatUsage({ metadata }: Deps, now: number): Promise<number> {
  return inBatches({ metadata }, (tx, limit) => tx.chat.forgetDaysBefore(startOfDay(now - chatUsageKeptMs), limit));
}
