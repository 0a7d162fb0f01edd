import type { Job, JobDeps, Jobs } from '#server/domain/jobs/job.ts';
import { recordRun } from '#server/domain/jobs/run-job.ts';
import type { JobLeases } from '#server/domain/ports/job-leases.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { ClockJump } from '#server/domain/jobs/table.ts';
import type { ClockReading } from '#server/domain/jobs/watch-clock.ts';
import { measured, type Measures } from './measured.ts';
import { runLeased } from './run-leased.ts';

export interface Schedule {
  /** Runs all jobs once, after the current run. */
  runNow(): Promise<void>;
  /** Runs the jobs that servers share by account, after the current run. Call it when another server is gone. */
  takeOver(): void;
  /** Waits for the current job. The rest of its run is skipped. */
  stop(): Promise<void>;
}

interface ScheduleDeps extends JobDeps, Measures {
  /** In the order in which they run. */
  readonly jobs: Jobs;
  readClock(): Promise<ClockReading>;
  /** Set if several servers share the jobs. Then each run needs a lease. */
  readonly leases: JobLeases | undefined;
  /**
   * Functions that replace jobs which are also started elsewhere, so that these never run twice at once. Each takes its
   * lease itself, and returns undefined without it.
   */
  readonly shared: Readonly<Record<string, () => Promise<number | undefined>>>;
  /** Called once per run while jobs wait for an operator. */
  onWaiting(jump: ClockJump): void;
  /** Called at the end of each run with whether jobs wait for an operator. */
  onWait?(areWaiting: boolean): void;
  onDone(name: string, count: number): void;
  onFault(name: string, error: unknown): void;
}

const everyMs = 5 * 60_000;

/** How long after a failed run any server may repeat it: less than the pause, because each server has its own timer. */
export const retryMs = everyMs / 2;

/**
 * Runs all background jobs every few minutes, one at a time. A failed job does not stop the others. Of several servers,
 * one runs each job, or they share its accounts out among them.
 */
export function schedule(deps: ScheduleDeps): Schedule {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let isTakingOver = false;
  /** When jobs did their work that need not do it each time, by the clock that they trust. */
  const ranAt = new Map<string, number>();
  const leasePause = { afterFailureMs: retryMs, signal: deps.signal };
  const runSoon = (pauseMs: number) => (running = running.then(() => runAll(pauseMs)));
  // Each server has such a timer. What one of them has done lately, the others leave out.
  const timer = setInterval(() => void runSoon(retryMs), everyMs);
  timer.unref();

  async function runAll(pauseMs: number, isWanted = (_job: Job) => true): Promise<void> {
    let isTold = false;
    for (const [name, job] of Object.entries(deps.jobs)) {
      if (!isWanted(job)) continue;
      if (isStopped) return;
      try {
        // Read before each job, because the clock may jump while another job runs.
        const { now, jump } = await deps.readClock();
        if (jump && job.trustsClock) {
          if (!isTold) deps.onWaiting(jump);
          isTold = true;
          continue;
        }
        const { everyMs: ownEveryMs = 0 } = job;
        if (Math.abs(now - (ranAt.get(name) ?? -Infinity)) < ownEveryMs) continue;
        const run = (metadata: Metadata) => job.run({ ...deps, metadata }, now);
        const shared = deps.shared[name];
        const runOnce = job.isByAccount
          ? () => run(deps.metadata)
          : () => runLeased(deps, name, { ...leasePause, pauseMs: Math.max(pauseMs, ownEveryMs) }, run);
        const work = () => shared?.() ?? measured(deps, name, runOnce);
        // Another server may have done all that was due in the same time. It is less than the pause, because this
        // server's next run may begin somewhat early.
        const quietMs = job.isByAccount && deps.leases ? 0.8 * everyMs : undefined;
        const count = await recordRun(deps, { job: name, startedAt: now, quietMs }, work);
        if (count === undefined) continue;
        ranAt.set(name, now);
        if (count > 0) deps.onDone(name, count);
      } catch (error) {
        deps.onFault(name, error);
      }
    }
    deps.onWait?.(isTold);
  }

  return {
    runNow: () => runSoon(0),
    takeOver() {
      if (isTakingOver) return;
      isTakingOver = true;
      running = running.then(() => {
        isTakingOver = false;
        return runAll(0, ({ isByAccount = false }) => isByAccount);
      });
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
