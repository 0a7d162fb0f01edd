import type { Clock, MonotonicClock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { ClockBaseline, ClockBaselines, ClockJump } from './table.ts';
import { dayMs } from '../day.ts';

/** The wall clock has jumped if it differs from the monotonic one by more than this. */
const toleranceMs = dayMs;

interface Deps {
  readonly metadata: Metadata<'clockJump'>;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly clockBaselines: ClockBaselines;
}

/** The time, and whether it can be trusted. */
export interface ClockReading {
  readonly now: number;
  /** A jump that no operator has confirmed. Jobs that delete must wait. */
  readonly jump: ClockJump | undefined;
}

/**
 * Watches the wall clock from now on. Each reading compares it with the monotonic clock since the last jump, so that no
 * jump between two readings is missed. A jump stays stored over a restart. The clock may be set while no server runs,
 * so a start trusts it.
 */
export async function watchClock(deps: Deps): Promise<() => Promise<ClockReading>> {
  let own = baselineOf(deps, deps.clock.now());
  await deps.clockBaselines.save(own);
  return async () => {
    const { reading, baseline } = await compare(deps, own);
    own = baseline;
    return reading;
  };
}

/**
 * Reads the clock once, for a short process such as an operator's command. It compares the clock with the last baseline
 * of the server, or of another such process, since the machine was started. It may therefore notice a jump before the
 * server does.
 */
export async function readClock(deps: Deps): Promise<ClockReading> {
  return (await compare(deps, undefined)).reading;
}

/** @param own the last baseline of this process. A later one of another process takes precedence */
async function compare(
  deps: Deps,
  own: ClockBaseline | undefined,
): Promise<{ readonly reading: ClockReading; readonly baseline: ClockBaseline }> {
  const { metadata, clock, monotonic, clockBaselines } = deps;
  const now = clock.now();
  const current = baselineOf(deps, now);
  const stored = await clockBaselines.find();
  const baseline = stored?.origin === monotonic.origin ? stored : own;
  if (!baseline) await clockBaselines.save(current);
  const byMs = baseline ? current.offsetMs - baseline.offsetMs : 0;
  if (Math.abs(byMs) <= toleranceMs)
    return { reading: { now, jump: await metadata.read.clockJump.find() }, baseline: baseline ?? current };
  const jump = { noticedAt: now, byMs };
  await metadata.atomically((tx) => tx.clockJump.save(jump));
  // Only after the jump is stored, so that a jump that could not be stored is noticed again.
  await clockBaselines.save(current);
  return { reading: { now, jump }, baseline: current };
}

function baselineOf({ monotonic }: Deps, now: number): ClockBaseline {
  return { origin: monotonic.origin, offsetMs: Math.round(now - monotonic.nowMs()) };
}
