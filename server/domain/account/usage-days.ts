/** A day. All days of UTC have this length. */
export const dayMs = 86_400_000;

/**
 * The current usage of an account, and its usage on the days of the month. Instants are milliseconds since the epoch.
 */
export interface MeteredUsage {
  readonly usedBytes: number;
  readonly usedObjects: number;
  /** The part of `usedBytes` that the trash keeps. */
  readonly trashBytes: number;
  readonly trashObjects: number;
  /** When metering began: when the account was created, or later for older accounts. */
  readonly meteredFrom: number;
  /** `days` are complete up to this instant. Since then `usedBytes` have been stored. */
  readonly settledAt: number;
  readonly days: readonly UsageOfDay[];
}

/** The usage of one day in UTC. */
export interface UsageOfDay {
  /** The midnight at which the day begins. */
  readonly day: number;
  /** Bytes times milliseconds. It may exceed 64 bits: a terabyte for a day is 2^66. */
  readonly byteMs: bigint;
}

export function startOfDay(instant: number): number {
  return Math.floor(instant / dayMs) * dayMs;
}

export function startOfMonth(instant: number): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Yields the usage since `settledAt`, day by day. Days before this month are left out. */
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

/** Returns the whole metered days of this month, and the mean of the stored bytes over them, weighted by time. */
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
