import type { Clock } from '#server/domain/ports/clock.ts';

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
