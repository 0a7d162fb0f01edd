import { dayMs } from '#server/domain/day.ts';

/** The buckets of a time series. */
export interface Buckets {
  readonly widthMs: number;
  /** The beginning of one bucket. It fixes the grid, in UTC, for every window. */
  readonly originMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const weekMs = 7 * dayMs;

/** The most buckets of a window. A window that begins within a bucket touches one more bucket than it has widths. */
const maxBuckets = 300;

/** The widths, each with the longest window that uses it. */
const widths: ReadonlyArray<readonly [widthMs: number, longestMs: number]> = [
  [minuteMs, 2 * hourMs],
  [5 * minuteMs, 12 * hourMs],
  [15 * minuteMs, dayMs],
  [hourMs, 7 * dayMs],
  [6 * hourMs, 27 * dayMs],
  [dayMs, (maxBuckets - 1) * dayMs],
];

/** 1970-01-05, a Monday. */
const mondayMs = 4 * dayMs;

/**
 * Returns the buckets for a window: minutes for an hour, days for a month, weeks from ten months on. The number of
 * weeks in a bucket doubles until the window has at most 300 buckets. Weeks begin on Monday.
 */
export function bucketsFor({ start, end }: { readonly start: number; readonly end: number }): Buckets {
  const lengthMs = end - start;
  const suiting = widths.find(([, longestMs]) => lengthMs <= longestMs);
  if (suiting) return { widthMs: suiting[0], originMs: 0 };
  let widthMs = weekMs;
  while (lengthMs > (maxBuckets - 1) * widthMs) widthMs *= 2;
  return { widthMs, originMs: mondayMs };
}

/** Returns the number of the bucket that contains an instant. */
export function bucketAt({ widthMs, originMs }: Buckets, at: number): number {
  return Math.floor((at - originMs) / widthMs);
}

/** Returns the instant at which a bucket begins. */
export function bucketStart({ widthMs, originMs }: Buckets, bucket: number): number {
  return originMs + bucket * widthMs;
}
