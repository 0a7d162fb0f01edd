/**
 * Works through what is found, up to `limit` at a time, until less is found. Answers the sum of what `work` answered.
 * What takes long is done so: in steps between which others have their turn, and a run that is cut off goes on where it
 * was.
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
