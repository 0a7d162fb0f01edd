import { jobNames, jobs, type JobDeps, type JobName } from '#server/domain/jobs/job.ts';
import type { ClockJump } from '#server/domain/jobs/table.ts';
import type { ClockReading } from '#server/domain/jobs/watch-clock.ts';

export interface Schedule {
  /** Runs all jobs once, after a run that is under way. */
  runNow(): Promise<void>;
  /** Waits for the job under way; the others of its run are left out. */
  stop(): Promise<void>;
}

interface ScheduleDeps extends JobDeps {
  readClock(): Promise<ClockReading>;
  /** What others start too, in the place of the job of its name, so that it never runs twice at once. */
  readonly shared: { readonly [job in JobName]?: () => Promise<number> };
  /** Told once a run for as long as jobs wait for an operator. */
  onWaiting(jump: ClockJump): void;
  onDone(name: JobName, count: number): void;
  onFault(name: JobName, error: unknown): void;
}

const everyMs = 5 * 60_000;

/** Runs all background jobs every few minutes, one at a time. A job that fails keeps no other from running. */
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
        // Read for each job anew: the clock may jump while another one runs.
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
