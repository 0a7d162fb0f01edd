/** One counter: at most `limit` units in each window. */
export interface Bucket {
  /** Names the counter and whom it counts: `list:204815162342108999`. */
  readonly key: string;
  /**
   * The shared counter that replaces this one while there are too many counters. Without it a counter is never shared,
   * so leave it out only for keys of which there are few, such as keys of accounts.
   */
  readonly overflowKey?: string;
  /** The policy's name, as clients see it in `RateLimit`. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** A request over the limit blocks the counter for this long. Without it the window's end frees the counter. */
  readonly blockMs?: number;
  /** Units that this request takes. */
  readonly cost: number;
  /**
   * How many requests may wait for the next window while this one is used up, at most `limit`. Default 0. Only for a
   * request with no other bucket, a `cost` of 1, and windows up to {@link maxBookedWindowMs}.
   */
  readonly maxWaiting?: number;
}

/** Windows in which places can be booked are no longer than this. */
export const maxBookedWindowMs = 15_000;

/** A place in a window that has not begun. */
export interface BookedPlace {
  /** The key of its bucket. */
  readonly key: string;
  /** When its window begins, in milliseconds since the epoch. */
  readonly beginsAt: number;
}

export interface BucketState {
  readonly bucket: Bucket;
  readonly remaining: number;
  /** Milliseconds until the window, or the block, ends. */
  readonly resetMs: number;
}

export interface Decision {
  /** Whether it may go on, at once or when its place comes. */
  readonly isAllowed: boolean;
  /** The place in the next window that was booked for it. Left out if it may go on at once. */
  readonly booked?: BookedPlace;
  readonly states: readonly BucketState[];
  /** Milliseconds until another try may succeed. 0 when allowed. */
  readonly retryAfterMs: number;
}

/**
 * Counts requests, exactly under parallel requests. Blocks, and windows of over a minute, survive a restart. `now` is
 * in milliseconds since the epoch.
 */
export interface RateLimits {
  /**
   * Takes from all buckets, or from none when one of them has too little left. If the only bucket lets requests wait,
   * it books a place in the next window instead. Places are given in the order of the calls.
   */
  take(buckets: readonly Bucket[], now: number): Promise<Decision>;
  /** Gives a booked place back. Does nothing once its window has begun. */
  giveBack(place: BookedPlace, now: number): Promise<void>;
  /** Returns the milliseconds for which the counter of that key is still blocked, or 0 when it is not. */
  blockedMs(key: string, now: number): Promise<number>;
}
