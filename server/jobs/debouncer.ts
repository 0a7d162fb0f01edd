/** Debounces background work: many nudges within the delay cause one run, and runs never overlap. */
interface Debouncer {
  nudge(): void;
  /** Waits for the current run, and for the last one. Later nudges do nothing. */
  stop(): Promise<void>;
}

/** A failed run is retried after this time, even without a nudge. */
const retryMs = 60_000;

/** The backoff after a failed run: nudges wait this long. It doubles with each further failure, up to `retryMs`. */
const firstPauseMs = 1000;

/**
 * @param run finds its work itself. A failed run is reported, and a later run finds the same work again.
 * @param delayMs time between a nudge and the run, unless the previous run failed. Many deletions come together, and
 *   one run serves all of them.
 * @param drains whether a stop runs it once more, because what waits would be lost. Default: false
 */
export function debouncer({
  run,
  onFault,
  delayMs = 50,
  drains = false,
}: {
  run(): Promise<unknown>;
  onFault(error: unknown): void;
  readonly delayMs?: number;
  readonly drains?: boolean;
}): Debouncer {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let dueAt = Infinity;
  let pauseMs = 0;
  let pausedUntil = 0;
  const schedule = (ms: number): void => {
    const wantedAt = performance.now() + ms;
    // A run that is due sooner serves this nudge too. A later retry does not.
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
      if (drains) await run().catch(onFault);
    },
  };
}
