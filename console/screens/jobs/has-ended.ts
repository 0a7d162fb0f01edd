import type { OperatorJobs } from '#dist/modules/client/index.js';

/** Whether a job has ended a run since the one that began at `before`. The list has a run once it has ended. */
export function hasEnded(jobs: OperatorJobs['jobs'], name: string, before: string | null): boolean {
  const last = jobs.find(({ job }) => job === name)?.last_run;
  return last != null && last.started_at !== before;
}
