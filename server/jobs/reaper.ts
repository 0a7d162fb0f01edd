/** Runs a piece of background work whenever it is nudged, one run at a time, soon but not at once. */
export interface Reaper {
  nudge(): void;
  /** Waits for the run under way; nudges afterwards do nothing. */
  stop(): Promise<void>;
}

/** Many deletions come together, and each run serves all that came before it. */
const usualDelayMs = 50;

/** A run that failed is tried again after so long, also when nothing else comes. */
const retryMs = 60_000;

/** After a failed run nudges wait for so long, and after each further one for twice as long, up to that. */
const firstPauseMs = 1000;

/**
 * @param run finds its work itself; a failed run is reported, and finds the same work again later
 * @param delayMs how soon after a nudge it runs, unless the run before has failed
 */
export function reaper({
  run,
  onFault,
  delayMs = usualDelayMs,
}: {
  run(): Promise<unknown>;
  onFault(error: unknown): void;
  readonly delayMs?: number;
}): Reaper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let dueAt = Infinity;
  let pauseMs = 0;
  let pausedUntil = 0;
  const schedule = (ms: number): void => {
    const wantedAt = performance.now() + ms;
    // A run that is due sooner serves this too; one that waits to be tried again does not.
    if (isStopped || dueAt <= wantedAt) return;
    clearTimeout(timer);
    dueAt = wantedAt;
    timer = setTimeout(() => {
      dueAt = Infinity;
      running = running.then(run).then(
        () => void (pauseMs = 0),
        (error: unknown) => {
          onFault(error);
          pauseMs = Math.min(retryMs, Math.max(firstPauseMs, 2 * pauseMs));
          pausedUntil = performance.now() + pauseMs;
          schedule(retryMs);
        },
      );
    }, ms);
    timer.unref();
  };
  return {
    nudge() {
      schedule(Math.max(delayMs, pauseMs === 0 ? 0 : pausedUntil - performance.now()));
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
