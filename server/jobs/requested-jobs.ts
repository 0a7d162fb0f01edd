import type { RequestedJobs } from '#server/domain/jobs/run-job.ts';

interface Options {
  /** Called for a run that fails after nobody waits for it any more. */
  onFault(job: string, error: unknown): void;
  /** How long callers wait for a run. */
  readonly patienceMs?: number;
}

/** Runs that operators ask a server for, each job once at a time. */
interface ServerJobs extends RequestedJobs {
  /** Waits for the runs that go on. */
  stop(): Promise<void>;
}

export function requestedJobs({ onFault, patienceMs = 2_000 }: Options): ServerJobs {
  const running = new Map<string, Promise<number | undefined>>();
  /** Jobs whose run goes on although somebody has stopped waiting for it. */
  const late = new Set<string>();
  const begin = (job: string, work: () => Promise<number | undefined>) => {
    const run = work().finally(() => running.delete(job));
    running.set(job, run);
    run.then(
      () => late.delete(job),
      (error: unknown) => late.delete(job) && onFault(job, error),
    );
    return run;
  };
  return {
    async run(job, work) {
      const run = running.get(job) ?? begin(job, work);
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          late.add(job);
          resolve(undefined);
        }, patienceMs);
      });
      try {
        return await Promise.race([run, patience]);
      } finally {
        clearTimeout(timer);
      }
    },
    async stop() {
      await Promise.allSettled(running.values());
    },
  };
}
