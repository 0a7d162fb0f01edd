/**
 * Finds and works on up to `limit` rows at a time, until fewer are found. Returns the sum of what `work` returned. Long
 * jobs run like this: other requests run between the steps, and a job that is killed continues there.
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
