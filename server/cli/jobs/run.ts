import type { Command } from 'commander';

import { runJob } from '#server/domain/jobs/run-job.ts';
import { readClock } from '#server/domain/jobs/watch-clock.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { jobNames, jobs, type JobName } from '#server/jobs/jobs.ts';
import { oneOf, parseInstant } from '../arguments.ts';
import { columns } from '../columns.ts';
import { Failure, type Answer, type Operator, type Stores } from '../operator.ts';

interface Options {
  readonly all?: boolean;
  readonly now?: number;
}

export function addJobsRun(parent: Command, operator: Operator): void {
  parent
    .command('run')
    .description('run background jobs once, beside a server that may be running')
    .argument('[name]', jobNames.join(', '), oneOf(jobNames, 'job'))
    .option('--all', 'run all of them')
    .option(
      '--now <instant>',
      'run as if it were this time (ISO 8601, with Z or an offset), and store it as the time of changes; ' +
        'it is not checked against the clock',
      parseInstant,
    )
    .action(async (name: JobName | undefined, options: Options, command: Command) => {
      if ((name === undefined) === (options.all !== true)) command.error('error: name one job, or give --all');
      operator.print(await run(operator, name ? [name] : jobNames, options), command);
    });
}

async function run(operator: Operator, names: readonly JobName[], { now }: Options): Promise<Answer> {
  const clock = now === undefined ? undefined : { now: () => now };
  const counts = await operator.onStores((stores) => runAll(operator, stores, names, now), { clock });
  return { json: counts, text: columns([['JOB', 'DONE'], ...counts.map(({ job, count }) => [job, String(count)])]) };
}

async function runAll(
  { actor }: Operator,
  stores: Stores,
  names: readonly JobName[],
  at: number | undefined,
): Promise<Array<{ job: JobName; count: number }>> {
  const done: Array<{ job: JobName; count: number }> = [];
  const deps = { ...stores, jobs, readClock: () => readClock(stores) };
  for (const job of names)
    done.push({ job, count: (await runJob(deps, { job, by: actor, at }).catch(explained)) ?? 0 });
  return done;
}

function explained(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'CLOCK_JUMPED') throw error;
  throw new Failure(
    'The clock has jumped, so automatic deletion is paused. ' +
      'Check the clock, then run "cubby jobs confirm-clock" or give a time with --now.',
  );
}
