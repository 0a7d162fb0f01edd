import { Refusal } from '#server/domain/refusal.ts';

/** Returns what a refusal says about a limit that applies until `resetsAt`. A retry before that cannot succeed. */
export function untilReset(resetsAt: number, now: number) {
  return { retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now) / 1000)) };
}

/** Returns the rejection of a request that fits as soon as others of its account end. */
export function underWay(detail?: string) {
  const refusal = new Refusal('concurrent_limit_reached', detail === undefined ? {} : { detail });
  return { refusal, turn: { of: 'account' } } as const;
}
