import type { JobRun, JobRunsTable } from '#server/domain/jobs/runs-table.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

const runs = table(
  'job_runs',
  record<JobRun>({ job: 'job', startedAt: 'started_at', durationMs: 'duration_ms', count: 'count' }),
  'job',
);

/** The last run of each background job. */
export function jobRunsTable(rows: Rows): JobRunsTable {
  return {
    list: async () => rows.all(runs, 'ORDER BY job'),
    async put(run) {
      await rows.put(runs, run);
    },
  };
}
