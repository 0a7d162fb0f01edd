import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import {
  dayMs,
  firstKeptDay,
  meanOf,
  sumOfDay,
  unsettledDays,
  type MeteredUsage,
  type UsageOfDay,
} from './usage-days.ts';

/** The means of one day in UTC. */
export interface MeanOfDay {
  /** The midnight at which the day begins. */
  readonly day: number;
  readonly bytes: number;
  /** Null if the files were not counted on the whole day. */
  readonly objects: number | null;
}

/** Days in UTC, both included, as the midnights at which they begin. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the means of the measured days of a range, the oldest first. */
export async function usageHistory(
  { metadata, clock }: { readonly metadata: Reads<'accounts'>; readonly clock: Clock },
  accountId: string,
  range: DayRange,
): Promise<MeanOfDay[]> {
  const now = clock.now();
  const usage = await metadata.read.accounts.usageOf(accountId, Math.max(range.from, firstKeptDay(now)));
  if (!usage) throw new Error(`The account ${accountId} has gone.`);
  return meansOfDays(usage, range, now);
}

/** Returns the means of the measured days of a range, the oldest first. Today counts up to now. */
export function meansOfDays(usage: MeteredUsage, { from, to }: DayRange, now: number): MeanOfDay[] {
  const sums = new Map<number, UsageOfDay>();
  for (const part of [...usage.days, ...unsettledDays(usage, now)]) {
    if (part.day < from || part.day > to || part.day > now) continue;
    const known = sums.get(part.day);
    sums.set(part.day, known ? sumOfDay(known, part) : part);
  }
  return [...sums.values()].flatMap(({ day, byteMs, objectMs }) => {
    // The account may be younger than the day, and the day may not be over.
    const span = Math.min(now, day + dayMs) - Math.max(day, usage.meteredFrom);
    if (span <= 0) return [];
    return [{ day, bytes: meanOf(byteMs, span), objects: objectMs === null ? null : meanOf(objectMs, span) }];
  });
}
