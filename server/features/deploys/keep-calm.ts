import { maxCoalescedPushes } from './limits.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * Returns the refusal of a push that comes too early. Where pushes wait already, it names no setting that lets them.
 */
export function keepCalm(waitMs: number, coalesces: boolean): Refusal {
  const message =
    `More than ${maxCoalescedPushes} pushes in 15 seconds. Wait for the seconds that Retry-After names, then push ` +
    'again. Nothing was deployed.';
  return new Refusal('KEEP_CALM', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    ...(coalesces && { message }),
  });
}
