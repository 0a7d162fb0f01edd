import type { Admission } from '#server/domain/ports/admission.ts';
import type { RateLimits } from '#server/domain/ports/rate-limits.ts';
import type { MemorySlots } from './slots.ts';

/**
 * Takes from rate limits and then from slots. No single step is needed, because both are in the memory of this process.
 */
export function admissionInSteps(rates: Pick<RateLimits, 'take'>, slots: MemorySlots): Admission {
  return {
    async admit(buckets, wanted, now) {
      const decision = await rates.take(buckets, now);
      const isNow = decision.isAllowed && !decision.booked;
      const hasSlot = isNow && (wanted === undefined || slots.acquire(wanted.slot, wanted.limit, now));
      return { ...decision, hasSlot };
    },
  };
}
