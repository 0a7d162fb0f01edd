import type { Clock, MonotonicClock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { ClockBaseline, ClockBaselines, ClockJump } from './table.ts';

/** A wall clock that leaves a monotonic one by more than this has jumped. */
const toleranceMs = 86_400_000;

interface Deps {
  readonly metadata: Metadata<'clockJump'>;
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  readonly clockBaselines: ClockBaselines;
}

/** What the clock says, as far as it can be trusted. */
export interface ClockReading {
  readonly now: number;
  /** A jump that no operator has confirmed: what deletes must wait. */
  readonly jump: ClockJump | undefined;
}

/**
 * Watches the wall clock from now on. Each reading compares it with the monotonic clock since the last jump, however
 * long ago that is, so that a jump between two readings is never missed. A jump stays noted over a restart; while no
 * server runs the clock may be set, so a start believes what it finds.
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
 * One reading by a process that only comes by, such as an operator's command. It compares with what the server, or
 * another such process, believed since the machine was started: a jump counts before the server has noticed it.
 */
export async function readClock(deps: Deps): Promise<ClockReading> {
  return (await compare(deps, undefined)).reading;
}

/** @param own what this process believed last; where others have noticed a jump since, theirs counts */
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
  // Only now: a jump that could not be noted is noticed again.
  await clockBaselines.save(current);
  return { reading: { now, jump }, baseline: current };
}

function baselineOf({ monotonic }: Deps, now: number): ClockBaseline {
  return { origin: monotonic.origin, offsetMs: Math.round(now - monotonic.nowMs()) };
}
