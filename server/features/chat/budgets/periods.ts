import { startOfDay } from '#server/domain/account/usage-days.ts';
import { dayMs } from '#server/domain/day.ts';

const minuteMs = 60_000;

/** Returns the Monday 00:00 UTC at or before an instant. */
export function startOfWeek(instant: number): number {
  const day = startOfDay(instant);
  // Day 0 was a Thursday.
  const daysSinceMonday = (((day / dayMs + 3) % 7) + 7) % 7;
  return day - daysSinceMonday * dayMs;
}

/** Returns the midnight, UTC, at which the day of an instant ends. */
export function endOfDay(instant: number): number {
  return startOfDay(instant) + dayMs;
}

/** Returns the Monday 00:00 UTC at which the week of an instant ends. */
export function endOfWeek(instant: number): number {
  return startOfWeek(instant) + 7 * dayMs;
}

/** Returns the first instant of the minute of an instant. */
export function startOfMinute(instant: number): number {
  return Math.floor(instant / minuteMs) * minuteMs;
}

/** Returns the instant at which the minute of an instant ends. */
export function endOfMinute(instant: number): number {
  return startOfMinute(instant) + minuteMs;
}
