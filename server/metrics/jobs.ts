import type { Instruments, Reading } from './instruments.ts';

/** A run of a background job that has ended. */
interface JobRun {
  readonly job: string;
  readonly outcome: 'done' | 'failed';
  /** The instant of its end, in milliseconds since the epoch. */
  readonly endedAt: number;
  readonly durationMs: number;
  /** The number of items that it worked on. */
  readonly count: number;
}

/** Counts the runs of background jobs. The label is not `job`, which Prometheus uses for itself. */
export function jobMetrics({ counter, gauge, gauges, settable }: Instruments) {
  const runs = counter('job_runs_total', 'Runs of background jobs, by outcome.', 'job_name', 'outcome');
  const items = counter('job_items_total', 'Items that background jobs worked on.', 'job_name');
  const duration = settable('job_duration_seconds', 'Time that the last run of a background job took.', 'job_name');
  const success = settable(
    'job_last_success_timestamp_seconds',
    'When a background job last succeeded, in seconds since the epoch.',
    'job_name',
  );
  let isWaiting = false;
  gauge('jobs_wait_for_operator', '1 while jobs wait because the clock has jumped, otherwise 0.', () =>
    Number(isWaiting),
  );
  return {
    jobRan({ job, outcome, endedAt, durationMs, count }: JobRun) {
      runs.inc({ job_name: job, outcome });
      items.inc({ job_name: job }, count);
      duration.set({ job_name: job }, durationMs / 1000);
      if (outcome === 'done') success.set({ job_name: job }, endedAt / 1000);
    },
    /** Whether jobs wait for an operator, because the clock has jumped. */
    jobsWait: (areWaiting: boolean) => void (isWaiting = areWaiting),
    /** Adds the number of items that wait for jobs. */
    watchBacklog: (backlog: () => Promise<ReadonlyMap<string, number>>) =>
      void gauges(
        'job_backlog',
        'Items that wait for a background job. Large numbers are cut off at 10000.',
        { labelNames: ['job_name'] },
        async (): Promise<Reading> =>
          Array.from(await backlog(), ([job, count]) => [{ job_name: job }, count] as const),
      ),
  };
}
