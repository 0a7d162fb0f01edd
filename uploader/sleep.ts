/**
 * Waits. Throws the signal's reason as soon as it is aborted.
 *
 * @param wake ends the wait early when aborted
 */
export function sleep(ms: number, signal: AbortSignal, wake?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      wake?.removeEventListener('abort', done);
      settle();
    };
    const stop = () => end(() => reject(signal.reason));
    const done = () => end(resolve);
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', stop, { once: true });
    wake?.addEventListener('abort', done, { once: true });
  });
}
