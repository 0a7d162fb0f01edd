/** One counter: at most `limit` units in each window. */
export interface Bucket {
  /** Names the counter, with whom it counts: `list:204815162342108999`. */
  readonly key: string;
  /**
   * The counter that takes its place when there are too many counters already. Without one it always has its own, so
   * that only keys of which there can be few, such as those of accounts, go without.
   */
  readonly overflowKey?: string;
  /** The policy's name, as clients see it in `RateLimit`. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Once exceeded, everything is refused for so long; without it, until the window ends. */
  readonly blockMs?: number;
  /** Units that this request takes. */
  readonly cost: number;
}

export interface BucketState {
  readonly bucket: Bucket;
  readonly remaining: number;
  /** Milliseconds until the window, or the block, ends. */
  readonly resetMs: number;
}

export interface Decision {
  readonly isAllowed: boolean;
  readonly states: readonly BucketState[];
  /** Milliseconds until another try may succeed; 0 when allowed. */
  readonly retryAfterMs: number;
}

/** Counts requests. Exact under parallel requests; blocks, and windows over a minute, survive a restart. */
export interface RateLimits {
  /** Takes from all buckets, or from none when one of them is exceeded. */
  take(buckets: readonly Bucket[]): Promise<Decision>;
  /** Milliseconds for which the counter of that key is still blocked; 0 when it is not. */
  blockedMs(key: string): Promise<number>;
}

/** Places for things under way at once. */
export interface Slots {
  /** A place under `key`, given back by calling the answer (once or more); `undefined` when all `limit` are taken. */
  acquire(key: string, limit: number): Promise<(() => void) | undefined>;
}
