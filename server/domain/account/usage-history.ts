import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { TrafficOfDay } from './traffic-table.ts';
import { firstKeptDay, meanOf, sumOfDay, unsettledDays, type MeteredUsage, type UsageOfDay } from './usage-days.ts';
import { dayMs } from '../day.ts';

/** The means of one day in UTC. */
interface MeanOfDay {
  /** The midnight at which the day begins. */
  readonly day: number;
  readonly bytes: number;
  readonly objects: number;
}

/** The usage of one day in UTC. */
export interface UsageHistoryDay extends MeanOfDay {
  readonly requests: number;
  readonly egressBytes: number;
}

/** Days in UTC, both included, as the midnights at which they begin. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the usage on the measured days of a range, the oldest first. */
export async function usageHistory(
  { metadata, clock }: { readonly metadata: Reads<'accounts' | 'traffic'>; readonly clock: Clock },
  accountId: string,
  range: DayRange,
): Promise<UsageHistoryDay[]> {
  const now = clock.now();
  const from = Math.max(range.from, firstKeptDay(now));
  const [usage, traffic] = await Promise.all([
    metadata.read.accounts.usageOf(accountId, from),
    metadata.read.traffic.daysOf(accountId, { from, to: range.to }),
  ]);
  if (!usage) throw new Error(`The account ${accountId} has gone.`);
  return withTraffic(meansOfDays(usage, range, now), traffic);
}

/** Adds the requests of each day. */
export function withTraffic(days: readonly MeanOfDay[], traffic: readonly TrafficOfDay[]): UsageHistoryDay[] {
  const sums = new Map(traffic.map((sum) => [sum.day, sum]));
  return days.map((mean) => {
    const { requests, egressBytes } = sums.get(mean.day) ?? { requests: 0, egressBytes: 0 };
    return { ...mean, requests, egressBytes };
  });
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
    const span = Math.min(now, day + dayMs) - Math.max(day, usage.createdAt);
    if (span <= 0) return [];
    return [{ day, bytes: meanOf(byteMs, span), objects: meanOf(objectMs, span) }];
  });
}
