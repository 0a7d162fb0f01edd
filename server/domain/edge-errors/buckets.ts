/** Into what a window is cut for its time series. */
export interface Buckets {
  readonly widthMs: number;
  /** When one of them begins: theirs is a grid in UTC, whatever the window. */
  readonly originMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

/** Never more than 300 buckets; one more than the window has widths, when it begins within one. */
const maxBuckets = 300;

/** The widths, each with the longest window that it suits. */
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
 * The buckets that suit a window: minutes for an hour, days for a month, weeks from ten months on, and for what is
 * longer still, twice as many weeks until they are 300 at most. Weeks begin on Monday.
 */
export function bucketsFor({ start, end }: { readonly start: number; readonly end: number }): Buckets {
  const lengthMs = end - start;
  const suiting = widths.find(([, longestMs]) => lengthMs <= longestMs);
  if (suiting) return { widthMs: suiting[0], originMs: 0 };
  let widthMs = weekMs;
  while (lengthMs > (maxBuckets - 1) * widthMs) widthMs *= 2;
  return { widthMs, originMs: mondayMs };
}

/** The number of the bucket in which an instant lies. */
export function bucketAt({ widthMs, originMs }: Buckets, at: number): number {
  return Math.floor((at - originMs) / widthMs);
}

/** When a bucket begins. */
export function bucketStart({ widthMs, originMs }: Buckets, bucket: number): number {
  return originMs + bucket * widthMs;
}
