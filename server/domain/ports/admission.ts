import type { Bucket, Decision } from './rate-limits.ts';
import type { WantedSlot } from './slots.ts';

/** The decision about a request's limits, and then about its slot. */
export interface Admitted extends Decision {
  /** Whether it has the slot. True if it wanted none. */
  readonly hasSlot: boolean;
}

/** Rate limits and slots in one step, so that a store over a network needs one round trip for both. */
export interface Admission {
  /**
   * Takes from the buckets as `RateLimits.take()` does. If that is allowed at once, takes the slot, unless all `limit`
   * slots of its key are taken or awaited. Without a free slot, the buckets are charged all the same.
   */
  admit(buckets: readonly Bucket[], wanted: WantedSlot | undefined, now: number): Promise<Admitted>;
}
