/** For how many days a history is shown, up to today. */
export type Range = '7' | '30' | '90' | '400';

export const ranges: readonly Range[] = ['7', '30', '90', '400'];

const dayMs = 86_400_000;

/** Returns the first day of a range in UTC, as `2026-04-21`. */
export function firstOf(range: Range, nowMs = Date.now()): string {
  return dateOf(nowMs - (Number(range) - 1) * dayMs);
}

interface Day {
  readonly day: string;
  readonly storage: number | null;
  readonly objects: number | null;
  readonly requests: number | null;
  readonly egress_bytes: number | null;
}

const unmeasured = { storage: null, objects: null, requests: null, egress_bytes: null };

/** Fills the gaps between days with days that have no values, so that a chart shows them as gaps. */
export function everyDay(days: readonly Day[]): Day[] {
  return days.flatMap((day, at) => {
    const before = days[at - 1];
    const missing = before === undefined ? [] : daysBetween(before.day, day.day);
    return [...missing.map((name) => ({ day: name, ...unmeasured })), day];
  });
}

/** Returns the days after one and before another. */
export function daysBetween(after: string, before: string): string[] {
  const first = Date.parse(after) + dayMs;
  const count = Math.max(0, Math.round((Date.parse(before) - first) / dayMs));
  return Array.from({ length: count }, (_, at) => dateOf(first + at * dayMs));
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
