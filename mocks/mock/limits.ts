import type { Decision, RateLimits } from '#server/domain/ports/rate-limits.ts';
import { RequestLimits } from '#server/pipeline/request-limits.ts';
import { systemClock } from '#server/stores/system/clock.ts';

/** Every request is the first one of its window. */
const uncounted: RateLimits = {
  async take(buckets): Promise<Decision> {
    const states = buckets.map((bucket) => ({
      bucket,
      remaining: bucket.limit - bucket.cost,
      resetMs: bucket.windowMs,
    }));
    return { isAllowed: true, states, retryAfterMs: 0 };
  },
  giveBack: async () => {},
  blockedMs: async () => 0,
};

/** Returns limits that are announced as the server announces them, and that no request exceeds. */
export function announcedLimits(): RequestLimits {
  return new RequestLimits(
    {
      rates: uncounted,
      slots: { renew: async () => {}, release: async () => {}, wait: async () => 'taken' },
      admission: {
        admit: async (...requested) => ({ ...(await uncounted.take(requested[0], requested[2])), hasSlot: true }),
      },
      clock: systemClock,
    },
    true,
  );
}
