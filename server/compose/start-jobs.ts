import { dayMs } from '#server/domain/day.ts';
import { watchClock } from '#server/domain/jobs/watch-clock.ts';
import { sweepOrphans } from '#server/domain/jobs/sweep-orphans.ts';
import { atMostEvery } from '#server/jobs/at-most-every.ts';
import { jobsOf } from '#server/jobs/jobs.ts';
import { measured } from '#server/jobs/measured.ts';
import { runLeased } from '#server/jobs/run-leased.ts';
import { retryMs, schedule, type Schedule } from '#server/jobs/schedule.ts';
import type { Given } from './given.ts';
import { featuresOn } from './serve-features.ts';

type OwnRuns = Parameters<typeof schedule>[0]['shared'];

/** Starts the schedule of the background jobs. @param shared those that other work of this server runs too */
export async function startJobs({ config, stores, log, metrics, signal }: Given, shared: OwnRuns): Promise<Schedule> {
  const leases = { metadata: stores.metadata, leases: stores.shared?.jobLeases };
  const sweepOnce = () =>
    runLeased(leases, 'sweep-orphans', { pauseMs: dayMs, afterFailureMs: retryMs, signal }, (metadata) =>
      sweepOrphans({ ...stores, metadata, signal }),
    );
  const measures = { clock: stores.clock, onRan: metrics.jobRan };
  const sweepMeasured = () => measured(measures, 'sweep-orphans', sweepOnce);
  const sweep = atMostEvery(dayMs, sweepMeasured, stores.monotonic.nowMs);
  const jobs = schedule({
    ...stores,
    jobs: jobsOf(featuresOn(config)),
    signal,
    leases: stores.shared?.jobLeases,
    shared: { ...shared, 'sweep-orphans': sweep },
    readClock: await watchClock(stores),
    onWaiting: ({ byMs }) =>
      log.error(
        { jumped_by_hours: Math.round(byMs / 3_600_000) },
        'THE CLOCK HAS JUMPED: nothing is deleted by itself until an operator says that it is right, ' +
          'with "cubby jobs confirm-clock"',
      ),
    onRan: metrics.jobRan,
    onWait: metrics.jobsWait,
    onDone: (job, count) => log.info({ job, count }, 'job done'),
    onFault: (job, error) => log.error({ job, error }, 'fault'),
  });
  // It may have left accounts half way.
  stores.shared?.onGone(jobs.takeOver);
  return jobs;
}
