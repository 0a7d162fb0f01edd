/**
 * Finds and processes up to `limit` rows at a time, until fewer are found. Returns the sum of what `work` returned.
 * Long jobs use it, so that other requests run between the steps. A job that was killed continues with the remaining
 * rows.
 */
export async function sweep<Found extends { readonly length: number }>(
  limit: number,
  find: (limit: number) => Promise<Found>,
  work: (found: Found) => Promise<number>,
): Promise<number> {
  for (let done = 0; ;) {
    const found = await find(limit);
    if (found.length > 0) done += await work(found);
    if (found.length < limit) return done;
  }
}
