import type { Jobs } from '#server/domain/jobs/job.ts';
import type { JobRun } from '#server/domain/jobs/runs-table.ts';
import type { ClockJump } from '#server/domain/jobs/table.ts';
import { timestamp } from '../../wire.ts';

interface JobsReport {
  readonly jobs: Jobs;
  readonly runs: readonly JobRun[];
  /** A jump of the clock that nobody has confirmed. */
  readonly jump: ClockJump | undefined;
}

/** Returns the background jobs as the operator's API and `--json` show them. */
export function jobsView({ jobs, runs, jump }: JobsReport) {
  const lastRunOf = (name: string) => {
    const run = runs.find(({ job }) => job === name);
    return run ? { started_at: timestamp(run.startedAt), duration_ms: run.durationMs, count: run.count } : null;
  };
  return {
    jobs: Object.entries(jobs).map(([job, { trustsClock }]) => ({
      job,
      waits_for_clock: trustsClock,
      last_run: lastRunOf(job),
    })),
    clock_jump: jump ? { noticed_at: timestamp(jump.noticedAt), by_ms: jump.byMs } : null,
  };
}
