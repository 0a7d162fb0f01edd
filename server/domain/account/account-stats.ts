import { gibibyte } from '../limits.ts';
import { includedBytes } from '../plan.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Account } from './account.ts';
import { startOfMonth, usageOfMonth } from './usage-days.ts';

/** The storage that an account uses, and its price. Sizes are bytes, prices hundredths of a real (BRL). */
export interface AccountStats {
  readonly usedObjects: number;
  /** With the trash. */
  readonly usedBytes: number;
  readonly trashObjects: number;
  readonly trashBytes: number;
  readonly includedBytes: number;
  readonly extraBytes: number;
  readonly storageCents: number;
  /** The whole days (UTC) of this month for which the usage is known, and the mean of the stored bytes over them. */
  readonly month: { readonly days: number; readonly averageBytes: number };
  /** This month (UTC) up to now, as far as the server has counted it. */
  readonly traffic: { readonly requests: number; readonly egressBytes: number };
}

/**
 * A cache of stats that are up to a minute old. A cache key contains the account's revision, so a change of the
 * account's files causes a miss.
 */
export interface StatsCache {
  get(key: string, now: number): AccountStats | undefined;
  set(key: string, stats: AccountStats, now: number): void;
}

interface Deps {
  readonly metadata: Reads<'accounts' | 'traffic'>;
  readonly clock: Clock;
  readonly cache: StatsCache;
}

/** The price of each started GiB beyond the storage that the plan includes. */
const centsPerStartedGibibyte = 20;

/** Returns stats that are up to a minute old, but include every upload and deletion before the account was read. */
export async function accountStats(
  { metadata, clock, cache }: Deps,
  { id, plan, revision }: Pick<Account, 'id' | 'plan' | 'revision'>,
): Promise<AccountStats> {
  const now = clock.now();
  const key = `${id}:${plan}:${revision}`;
  const cached = cache.get(key, now);
  if (cached) return cached;

  const from = startOfMonth(now);
  const [usage, days] = await Promise.all([
    metadata.read.accounts.usageOf(id, from),
    metadata.read.traffic.daysOf(id, { from, to: now }),
  ]);
  if (!usage) throw new Error(`The account ${id} has gone.`);
  const included = includedBytes[plan];
  const extraBytes = Math.max(0, usage.usedBytes - included);
  const stats: AccountStats = {
    usedObjects: usage.usedObjects,
    usedBytes: usage.usedBytes,
    trashObjects: usage.trashObjects,
    trashBytes: usage.trashBytes,
    includedBytes: included,
    extraBytes,
    storageCents: Math.ceil(extraBytes / gibibyte) * centsPerStartedGibibyte,
    month: usageOfMonth(usage, now),
    traffic: {
      requests: days.reduce((sum, day) => sum + day.requests, 0),
      egressBytes: days.reduce((sum, day) => sum + day.egressBytes, 0),
    },
  };
  cache.set(key, stats, now);
  return stats;
}
