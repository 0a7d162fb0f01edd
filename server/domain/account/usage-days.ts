/** A day in UTC, which has no other lengths. */
export const dayMs = 86_400_000;

/**
 * What an account stores, and how much it stored on the days of the month. Instants are milliseconds since the epoch.
 */
export interface MeteredUsage {
  readonly usedBytes: number;
  readonly usedObjects: number;
  /**
   * Since when the usage has been followed: since the account was made, unless that was before usage was followed at
   * all.
   */
  readonly meteredFrom: number;
  /** Up to when `days` is complete; from then on `usedBytes` have been stored. */
  readonly settledAt: number;
  readonly days: readonly UsageOfDay[];
}

/** How much was stored on one day in UTC, for how long. */
export interface UsageOfDay {
  /** The midnight at which the day begins. */
  readonly day: number;
  /** Bytes times milliseconds. More than 64 bits take: a terabyte for a day is 2^66. */
  readonly byteMs: bigint;
}

export function startOfDay(instant: number): number {
  return Math.floor(instant / dayMs) * dayMs;
}

export function startOfMonth(instant: number): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** What is to be added to the days since they were settled, in order; days before this month no longer matter. */
export function* unsettledDays(
  { usedBytes, settledAt }: Pick<MeteredUsage, 'usedBytes' | 'settledAt'>,
  now: number,
): Generator<UsageOfDay> {
  for (let from = Math.max(settledAt, startOfMonth(now)); from < now;) {
    const day = startOfDay(from);
    const until = Math.min(now, day + dayMs);
    yield { day, byteMs: BigInt(usedBytes) * BigInt(until - from) };
    from = until;
  }
}

/** The whole days of this month that were followed, and the mean of the stored bytes over them, weighted by time. */
export function usageOfMonth(
  usage: MeteredUsage,
  now: number,
): { readonly days: number; readonly averageBytes: number } {
  const first = Math.max(startOfMonth(now), Math.ceil(usage.meteredFrom / dayMs) * dayMs);
  const today = startOfDay(now);
  const days = Math.max(0, (today - first) / dayMs);
  if (days === 0) return { days: 0, averageBytes: 0 };
  let sum = 0n;
  for (const { day, byteMs } of [...usage.days, ...unsettledDays(usage, now)])
    if (day >= first && day < today) sum += byteMs;
  const span = BigInt(days * dayMs);
  return { days, averageBytes: Number(sum / span) + Number(sum % span) / Number(span) };
}
