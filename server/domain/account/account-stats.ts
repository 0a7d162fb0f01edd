import { gibibyte } from '../limits.ts';
import { includedBytes } from '../plan.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Account } from './account.ts';
import { usageOfMonth } from './usage-days.ts';

/** What an account stores and what that would cost. Sizes are bytes, prices hundredths of a real (BRL). */
export interface AccountStats {
  readonly usedObjects: number;
  readonly usedBytes: number;
  readonly includedBytes: number;
  readonly extraBytes: number;
  readonly storageCents: number;
  /** Whole days of this month in UTC that were followed, and the mean of the stored bytes over them. */
  readonly month: { readonly days: number; readonly averageBytes: number };
}

/** Stats of the last minute. The key names the account's revision, so a change to its files finds none of them. */
export interface StatsCache {
  get(key: string, now: number): AccountStats | undefined;
  set(key: string, stats: AccountStats, now: number): void;
}

interface Deps {
  readonly metadata: Reads<'accounts'>;
  readonly clock: Clock;
  readonly cache: StatsCache;
}

/** For each GiB over what the plan includes that is begun. */
const centsPerStartedGibibyte = 20;

/** Up to a minute old, but never older than the last upload or deletion before the account was read. */
export async function accountStats(
  { metadata, clock, cache }: Deps,
  { id, plan, revision }: Pick<Account, 'id' | 'plan' | 'revision'>,
): Promise<AccountStats> {
  const now = clock.now();
  const key = `${id}:${plan}:${revision}`;
  const cached = cache.get(key, now);
  if (cached) return cached;

  const usage = await metadata.read.accounts.usageOf(id);
  if (!usage) throw new Error(`The account ${id} has gone.`);
  const included = includedBytes[plan];
  const extraBytes = Math.max(0, usage.usedBytes - included);
  const stats: AccountStats = {
    usedObjects: usage.usedObjects,
    usedBytes: usage.usedBytes,
    includedBytes: included,
    extraBytes,
    storageCents: Math.ceil(extraBytes / gibibyte) * centsPerStartedGibibyte,
    month: usageOfMonth(usage, now),
  };
  cache.set(key, stats, now);
  return stats;
}
