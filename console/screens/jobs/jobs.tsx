import { useState } from 'preact/hooks';

import { listJobs, runJob, type OperatorJobs } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { ClockNotice } from '../overview/clock-notice.tsx';
import { hasEnded } from './has-ended.ts';

type Job = OperatorJobs['jobs'][number];

/** The background jobs, with the last run of each, and a button that runs one now. */
export default function Jobs() {
  const text = messages().jobs;
  const jobs = useResource((signal) => ask(listJobs({ signal })), []);
  /** The jobs that go on, with the start of the run before. */
  const [going, setGoing] = useState<ReadonlyMap<string, string | null>>(new Map());
  const open = [...going]
    .filter(([name, before]) => !hasEnded(jobs.data?.jobs ?? [], name, before))
    .map(([name]) => name);
  usePolling(true, open.length > 0 ? 2000 : 20_000, jobs.reload);
  const run = async ({ job, last_run: last }: Job) => {
    const call = runJob({ path: { job } });
    const { count } = await ask(call);
    const { response } = await call;
    if (response?.status === 202) {
      setGoing(new Map([...going, [job, last?.started_at ?? null]]));
      toast(text.goesOn(job));
    } else toast(count === null ? text.done(job) : text.doneWith(job, formatNumber(count)));
    jobs.reload();
  };
  return (
    <Screen title={messages().screens.jobs} lead={text.lead}>
      {jobs.data?.clock_jump && <ClockNotice jump={jobs.data.clock_jump} onDone={jobs.reload} />}
      <Loaded resource={jobs}>
        {({ jobs: found, clock_jump: jump }) => <JobTable jobs={found} open={open} hasJump={Boolean(jump)} run={run} />}
      </Loaded>
    </Screen>
  );
}

function JobTable({
  jobs,
  open,
  hasJump,
  run,
}: {
  readonly jobs: readonly Job[];
  /** The names of those that go on. */
  readonly open: readonly string[];
  readonly hasJump: boolean;
  readonly run: (job: Job) => Promise<void>;
}) {
  const text = messages().jobs;
  return (
    <Table<Job>
      label={messages().screens.jobs}
      rows={jobs}
      keyOf={({ job }) => job}
      columns={[
        {
          title: text.job,
          cell: ({ job, waits_for_clock: waits }) => (
            <>
              <code>{job}</code> {open.includes(job) && <span class="badge">{text.running}</span>}
              {hasJump && waits && <span class="badge bad">{text.waitsForClock}</span>}
            </>
          ),
        },
        {
          title: text.lastRun,
          cell: ({ last_run: last }) => (last ? <Time at={last.started_at} isRelative /> : messages().common.never),
        },
        {
          title: text.took,
          cell: ({ last_run: last }) => (last ? text.seconds(formatNumber(last.duration_ms / 1000, 2)) : ''),
          isNumber: true,
        },
        {
          title: text.count,
          cell: ({ last_run: last }) => (last?.count == null ? '' : formatNumber(last.count)),
          isNumber: true,
        },
      ]}
      actions={(job) => (
        <ActionButton kind="quiet" icon="play" run={() => run(job)} disabled={open.includes(job.job)}>
          {text.run}
          <span class="visually-hidden"> {job.job}</span>
        </ActionButton>
      )}
    />
  );
}
