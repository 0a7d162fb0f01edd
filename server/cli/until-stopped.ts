/**
 * Runs work until it ends. SIGINT and SIGTERM abort the controller's signal, so that the work can finish what it has
 * begun.
 */
export async function untilStopped<T>(work: (stopping: AbortController) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(stopping);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
