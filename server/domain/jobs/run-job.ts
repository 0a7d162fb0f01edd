import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../refusal.ts';
import type { JobDeps, Jobs } from './job.ts';
import type { ClockReading } from './watch-clock.ts';

interface Run {
  readonly job: string;
  readonly startedAt: number;
  /**
   * How long a stored run is not replaced by one that did nothing, because another server may have stored it. Default:
   * it is always replaced
   */
  readonly quietMs?: number | undefined;
}

/** Runs a job, and stores when it began, how long it took and how much it did. */
export async function recordRun(
  { metadata }: Pick<JobDeps, 'metadata'>,
  { job, startedAt, quietMs = 0 }: Run,
  work: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const began = performance.now();
  const store = (count: number | null) => {
    const durationMs = Math.round(performance.now() - began);
    // Not worth a sync of the disk: the next run writes it again.
    return metadata.atomically((tx) => tx.jobRuns.put({ job, startedAt, durationMs, count }), { isDurable: false });
  };
  const isLate = async () => {
    const last = (await metadata.read.jobRuns.list()).find((one) => one.job === job);
    return !last || Math.abs(startedAt - last.startedAt) >= quietMs;
  };
  let count: number | undefined;
  try {
    count = await work();
  } catch (error) {
    // The error of the job is the one to report.
    await store(null).catch(() => {});
    throw error;
  }
  // Undefined: another server ran it, and stored that.
  if (count === undefined) return undefined;
  if (count > 0 || quietMs === 0 || (await isLate())) await store(count);
  return count;
}

interface RunJob<Name> {
  readonly job: Name;
  readonly by: AuditActor;
  /** The time to run it at; undefined: now, if the clock is trusted. */
  readonly at?: number | undefined;
}

/** Runs of jobs that an operator asks for. The response does not wait for the end of a long one. */
export interface RequestedJobs {
  /**
   * Begins a job, unless its last run goes on. Resolves with the number of items, or with undefined when the run goes
   * on for longer than anybody should wait.
   */
  run(job: string, work: () => Promise<number | undefined>): Promise<number | undefined>;
}

/**
 * Runs one background job for an operator, beside a server that may be running it too. Returns the number of items.
 * Returns undefined if it goes on.
 *
 * @param requested runs the job. Default: the call waits for its end
 * @throws CLOCK_JUMPED when the clock has jumped and the job could then delete too much. A given time is the operator's
 *   own word, so it is not checked
 */
export async function runJob<Name extends string>(
  deps: JobDeps & {
    readonly jobs: Jobs<Name>;
    readonly clock: Clock;
    readonly readClock: () => Promise<ClockReading>;
  },
  { job, by, at }: RunJob<Name>,
  requested: RequestedJobs = { run: async (_job, work) => (await work()) ?? 0 },
): Promise<number | undefined> {
  const wanted = deps.jobs[job];
  if (at === undefined && wanted.trustsClock && (await deps.readClock()).jump) throw new Refusal('CLOCK_JUMPED');
  const now = at ?? deps.clock.now();
  const count = await requested.run(job, () => recordRun(deps, { job, startedAt: now }, () => wanted.run(deps, now)));
  const details = { count: count ?? null, ...(at !== undefined && { now: new Date(at).toISOString() }) };
  await deps.metadata.atomically(
    (tx) => recordAudit(tx, { action: 'job.run', by, accountId: null, subject: job, details }),
    { isAudited: true },
  );
  return count;
}
