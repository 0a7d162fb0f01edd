import type { Reads } from '../ports/metadata.ts';
import type { ActivityFilter } from './table.ts';

/** Sequences grow with their instants, except in parallel transactions and after small corrections of the clock. */
const slackMs = 600_000;

/**
 * Returns a range of sequences that has all entries of a time, and some more. It reads about twenty entries for each
 * end. An index by time would cost more than that at every change of a file.
 */
export async function sequencesOf(
  deps: { readonly metadata: Reads<'activity'> },
  accountId: string,
  { from, to }: Pick<ActivityFilter, 'from' | 'to'>,
) {
  return {
    atLeast: from === undefined ? 0 : ((await firstSince(deps, accountId, from - slackMs)) ?? Number.MAX_SAFE_INTEGER),
    // The first sequence behind the highest. Undefined: the newest entry may be within.
    before: to === undefined ? undefined : await firstSince(deps, accountId, to + slackMs),
  };
}

/** Returns the sequence of the first entry at this instant or later. Undefined if there is none. */
async function firstSince(
  { metadata }: { readonly metadata: Reads<'activity'> },
  accountId: string,
  at: number,
): Promise<number | undefined> {
  const { activity } = metadata.read;
  const newest = await activity.newest(accountId);
  if (!newest || newest.at < at) return undefined;
  // All entries below `low` are older, and that of `high` is not.
  let [low, high] = [0, newest.sequence];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await activity.firstFrom(accountId, middle);
    if (!entry || entry.at >= at) high = middle;
    else low = entry.sequence + 1;
  }
  return high;
}
