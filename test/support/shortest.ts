/** How long some work takes at its best of three times, in milliseconds: on a busy machine each may have to wait. */
export function shortestMs(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
