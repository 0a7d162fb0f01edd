import { onStopSignal } from '../stop-signals.ts';

/**
 * Runs work until it ends. The first SIGINT or SIGTERM aborts the controller's signal, so that the work can finish what
 * it has begun. A further one ends the process if the work then takes long.
 */
export async function untilStopped<T>(work: (stopping: AbortController) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const off = onStopSignal(() => stopping.abort());
  try {
    return await work(stopping);
  } finally {
    off();
  }
}
