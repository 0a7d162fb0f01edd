/** Runs a piece of background work whenever it is nudged, one run at a time, soon but not at once. */
export interface Reaper {
  nudge(): void;
  /** Waits for the run under way; nudges afterwards do nothing. */
  stop(): Promise<void>;
}

/** Many deletions come together, and each run serves all that came before it. */
const delayMs = 50;

/** @param run finds its work itself; a failed run is reported and found again by the next nudge */
export function reaper({ run, onFault }: { run(): Promise<unknown>; onFault(error: unknown): void }): Reaper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  return {
    nudge() {
      if (isStopped || timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        running = running.then(run).catch(onFault);
      }, delayMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
