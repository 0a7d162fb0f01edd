import type { Command } from 'commander';

import { jobsView } from '#server/handlers/operator/views/jobs.ts';
import { jobNames, jobs } from '#server/jobs/jobs.ts';
import { columns, instant } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';

export function addJobsList(parent: Command, operator: Operator): void {
  operator.list(parent.command('list').description('show the background jobs, each with its last run'), list);
}

async function list({ metadata }: Stores): Promise<Answer> {
  const [runs, jump] = await Promise.all([metadata.read.jobRuns.list(), metadata.read.clockJump.find()]);
  const rows = jobNames.map((name) => {
    const run = runs.find(({ job }) => job === name);
    if (!run) return [name, 'never', '', ''];
    return [name, instant(run.startedAt), `${run.durationMs} ms`, run.count === null ? 'failed' : String(run.count)];
  });
  const waiting = jump
    ? '\n\nThe clock has jumped: jobs that delete wait. Check it, then run "cubby jobs confirm-clock".'
    : '';
  return {
    json: jobsView({ jobs, runs, jump }),
    text: columns([['JOB', 'LAST RUN', 'TOOK', 'DONE'], ...rows]) + waiting,
  };
}
