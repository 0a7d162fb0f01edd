/**
 * Returns a function that runs `work` at most once in a period, and otherwise returns 0. A failed run counts as none.
 * So does one that returns undefined, because the server that does the work may still fail.
 *
 * @param nowMs a monotonic clock
 */
export function atMostEvery(
  periodMs: number,
  work: () => Promise<number | undefined>,
  nowMs: () => number,
): () => Promise<number | undefined> {
  let lastAt = -Infinity;
  return async () => {
    const now = nowMs();
    if (now - lastAt < periodMs) return 0;
    const count = await work();
    if (count !== undefined) lastAt = now;
    return count;
  };
}
