import { dayMs } from '../day.ts';

/** For how many days the usage is kept, with today. */
export const usageKeptDays = 400;

/** The current usage of an account, and its usage on some days. Instants are milliseconds since the epoch. */
export interface MeteredUsage {
  readonly usedBytes: number;
  readonly usedObjects: number;
  /** The part of `usedBytes` that the trash keeps. */
  readonly trashBytes: number;
  readonly trashObjects: number;
  /** When the account was created. */
  readonly createdAt: number;
  /** `days` are complete up to this instant. `usedBytes` have not changed since. */
  readonly settledAt: number;
  readonly days: readonly UsageOfDay[];
}

/** The usage of one day in UTC. */
export interface UsageOfDay {
  /** The midnight at which the day begins. */
  readonly day: number;
  /** Bytes times milliseconds. It may exceed 64 bits: a terabyte for a day is 2^66. */
  readonly byteMs: bigint;
  /** Files times milliseconds. */
  readonly objectMs: bigint;
}

export function startOfDay(instant: number): number {
  return Math.floor(instant / dayMs) * dayMs;
}

export function startOfMonth(instant: number): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Returns the oldest day that is kept. */
export function firstKeptDay(now: number): number {
  return startOfDay(now) - (usageKeptDays - 1) * dayMs;
}

/** Yields the usage since `settledAt`, day by day. Days that are no longer kept are left out. */
export function* unsettledDays(
  { usedBytes, usedObjects, settledAt }: Pick<MeteredUsage, 'usedBytes' | 'usedObjects' | 'settledAt'>,
  now: number,
): Generator<UsageOfDay> {
  for (let from = Math.max(settledAt, firstKeptDay(now)); from < now;) {
    const day = startOfDay(from);
    const until = Math.min(now, day + dayMs);
    const span = BigInt(until - from);
    yield { day, byteMs: BigInt(usedBytes) * span, objectMs: BigInt(usedObjects) * span };
    from = until;
  }
}

/** Returns the whole metered days of this month, and the mean of the stored bytes over them, weighted by time. */
export function usageOfMonth(
  usage: MeteredUsage,
  now: number,
): { readonly days: number; readonly averageBytes: number } {
  const first = Math.max(startOfMonth(now), Math.ceil(usage.createdAt / dayMs) * dayMs);
  const today = startOfDay(now);
  const days = Math.max(0, (today - first) / dayMs);
  if (days === 0) return { days: 0, averageBytes: 0 };
  let sum = 0n;
  for (const { day, byteMs } of [...usage.days, ...unsettledDays(usage, now)])
    if (day >= first && day < today) sum += byteMs;
  return { days, averageBytes: meanOf(sum, days * dayMs) };
}

/** Returns the mean of an amount over a time, from the product of both. */
export function meanOf(sum: bigint, spanMs: number): number {
  const span = BigInt(spanMs);
  return Number(sum / span) + Number(sum % span) / spanMs;
}

/** Adds usage of the same day. */
export function sumOfDay(one: UsageOfDay, other: UsageOfDay): UsageOfDay {
  return { day: one.day, byteMs: one.byteMs + other.byteMs, objectMs: one.objectMs + other.objectMs };
}
