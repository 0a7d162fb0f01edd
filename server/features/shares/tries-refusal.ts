import { Refusal } from '#server/domain/refusal.ts';

/** Returns the refusal of a password that is tried too early. */
export function triesRefusal(retryAfterSeconds: number): Refusal {
  return new Refusal('RATE_LIMITED', {
    retryAfterSeconds,
    detail:
      'Too many wrong passwords came for this link or from this address. It takes another in ' +
      `${retryAfterSeconds} s.`,
  });
}
