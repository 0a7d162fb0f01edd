import { jobNames, jobs, type JobDeps, type JobName } from '#server/domain/jobs/job.ts';
import type { ClockJump } from '#server/domain/jobs/table.ts';
import type { ClockReading } from '#server/domain/jobs/watch-clock.ts';

export interface Schedule {
  /** Runs all jobs once, after the current run. */
  runNow(): Promise<void>;
  /** Waits for the current job. The rest of its run is skipped. */
  stop(): Promise<void>;
}

interface ScheduleDeps extends JobDeps {
  readClock(): Promise<ClockReading>;
  /** Functions that replace jobs which are also started elsewhere, so that these never run twice at once. */
  readonly shared: { readonly [job in JobName]?: () => Promise<number> };
  /** Called once per run while jobs wait for an operator. */
  onWaiting(jump: ClockJump): void;
  onDone(name: JobName, count: number): void;
  onFault(name: JobName, error: unknown): void;
}

const everyMs = 5 * 60_000;

/** Runs all background jobs every few minutes, one at a time. A failed job does not stop the others. */
export function schedule(deps: ScheduleDeps): Schedule {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const runNow = () => (running = running.then(runAll));
  const timer = setInterval(() => void runNow(), everyMs);
  timer.unref();

  async function runAll(): Promise<void> {
    let isTold = false;
    for (const name of jobNames) {
      if (isStopped) return;
      try {
        // Read before each job, because the clock may jump while another job runs.
        const { now, jump } = await deps.readClock();
        if (jump && jobs[name].trustsClock) {
          if (!isTold) deps.onWaiting(jump);
          isTold = true;
          continue;
        }
        const count = await (deps.shared[name]?.() ?? jobs[name].run(deps, now));
        if (count > 0) deps.onDone(name, count);
      } catch (error) {
        deps.onFault(name, error);
      }
    }
  }

  return {
    runNow,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
