import type { Clock } from '#server/domain/ports/clock.ts';

/** A run of a job that has ended. */
interface JobRun {
  readonly job: string;
  readonly outcome: 'done' | 'failed';
  /** In milliseconds since the epoch. */
  readonly endedAt: number;
  readonly durationMs: number;
  readonly count: number;
}

export interface Measures {
  /** For the instant at which a job ended. */
  readonly clock: Clock;
  /** Called after each run. Must not throw. */
  onRan?(run: JobRun): void;
}

/**
 * Runs a job, and reports how it went. A job that another server runs is reported there.
 *
 * @throws the errors of `run`
 */
export async function measured(
  { clock, onRan = () => {} }: Measures,
  job: string,
  run: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const startedAt = performance.now();
  const report = (outcome: JobRun['outcome'], count: number) =>
    onRan({ job, outcome, endedAt: clock.now(), durationMs: performance.now() - startedAt, count });
  try {
    const count = await run();
    if (count !== undefined) report('done', count);
    return count;
  } catch (error) {
    report('failed', 0);
    throw error;
  }
}
