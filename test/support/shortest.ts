/**
 * Returns the shortest of three times that some work takes, in milliseconds, because a busy machine delays each run.
 */
export function shortestMs(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
