import { constants } from 'node:os';

/** How long after the first signal a further one changes nothing. A server stops within 31 seconds. */
const graceMs = 32_000;

interface StopOptions {
  readonly graceMs?: number;
  readonly signals?: readonly NodeJS.Signals[];
}

/**
 * Calls `stop` at the first signal. Under npm the same Ctrl-C comes twice, from the terminal and from npm, so further
 * signals change nothing while the stop has time. One after that ends the process at once.
 *
 * @returns a function that removes the handlers. Once the stop has begun it does so when the time of the stop is
 *   over: the second signal may come after the work
 */
export function onStopSignal(
  stop: (signal: NodeJS.Signals) => void,
  { graceMs: withinMs = graceMs, signals = ['SIGINT', 'SIGTERM'] }: StopOptions = {},
): () => void {
  let begunAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (begunAt === undefined) {
      begunAt = performance.now();
      stop(signal);
    } else if (performance.now() - begunAt > withinMs) process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, onSignal);
  const removeHandlers = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  return () => {
    if (begunAt === undefined) removeHandlers();
    else setTimeout(removeHandlers, withinMs - (performance.now() - begunAt)).unref();
  };
}
