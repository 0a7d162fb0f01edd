/** Wraps work that must not overlap. Calls during a run share the next run, which begins after it. */
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
