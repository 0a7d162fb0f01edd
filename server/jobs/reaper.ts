/** Runs a piece of background work whenever it is nudged, one run at a time, soon but not at once. */
export interface Reaper {
  nudge(): void;
  /** Waits for the run under way; nudges afterwards do nothing. */
  stop(): Promise<void>;
}

/** Many deletions come together, and each run serves all that came before it. */
const delayMs = 50;

/** A run that failed is tried again after so long, also when nothing else comes. */
const retryMs = 60_000;

/** @param run finds its work itself; a failed run is reported, and finds the same work again later */
export function reaper({ run, onFault }: { run(): Promise<unknown>; onFault(error: unknown): void }): Reaper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let dueAt = Infinity;
  const schedule = (ms: number): void => {
    const wantedAt = performance.now() + ms;
    // A run that is due sooner serves this too; one that waits to be tried again does not.
    if (isStopped || dueAt <= wantedAt) return;
    clearTimeout(timer);
    dueAt = wantedAt;
    timer = setTimeout(() => {
      dueAt = Infinity;
      running = running.then(run).catch((error: unknown) => {
        onFault(error);
        schedule(retryMs);
      });
    }, ms);
    timer.unref();
  };
  return {
    nudge() {
      schedule(delayMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
