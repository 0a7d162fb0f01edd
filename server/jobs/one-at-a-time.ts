/**
 * The same work, for several who start it: whoever comes while it runs waits, and then it runs anew for all who waited.
 */
export function oneAtATime<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        running = next!;
        next = undefined;
        return run();
      });
    return next;
  };
}
