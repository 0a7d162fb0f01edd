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

/** Measures until the result is below the bound, three times at most. Returns the least, for the same reason. */
export async function leastOfThree(bound: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < 3 && least >= bound; run++) least = Math.min(least, await measure());
  return least;
}
