/**
 * Returns a function that runs `work` at most once in a period, and otherwise returns 0. A failed run counts as none.
 *
 * @param nowMs a monotonic clock
 */
export function atMostEvery(periodMs: number, work: () => Promise<number>, nowMs: () => number): () => Promise<number> {
  let lastAt = -Infinity;
  return async () => {
    const now = nowMs();
    if (now - lastAt < periodMs) return 0;
    const count = await work();
    lastAt = now;
    return count;
  };
}
