import type { Clock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { ClockJump } from './table.ts';

/** A wall clock that leaves a monotonic one by more than this has jumped. @see decisions.md, section 6 */
const toleranceMs = 86_400_000;

interface Deps {
  readonly metadata: Metadata;
  readonly clock: Clock;
  /** Milliseconds from any start that only ever grow, while the process runs. */
  readonly monotonicMs: () => number;
}

/** What the clock says, as far as it can be trusted. */
export interface ClockReading {
  readonly now: number;
  /** A jump that no operator has confirmed: what deletes must wait. */
  readonly jump: ClockJump | undefined;
}

/**
 * Watches the wall clock from now on. Each reading compares it with the monotonic clock since the last jump, however
 * long ago that is, so that a jump between two readings is never missed. A jump stays noted over a restart.
 */
export function watchClock({ metadata, clock, monotonicMs }: Deps): () => Promise<ClockReading> {
  let offset = clock.now() - monotonicMs();
  return async () => {
    const now = clock.now();
    const current = now - monotonicMs();
    const byMs = Math.round(current - offset);
    if (Math.abs(byMs) > toleranceMs) {
      const jump = { noticedAt: now, byMs };
      await metadata.atomically((tx) => tx.clockJump.save(jump));
      // Only now: a jump that could not be noted is noticed again.
      offset = current;
      return { now, jump };
    }
    return { now, jump: await metadata.read.clockJump.find() };
  };
}
