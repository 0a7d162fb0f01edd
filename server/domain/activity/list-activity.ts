import { activityKeptMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { formatActivityCursor, parseActivityCursor } from './activity-cursor.ts';
import type { ActivityEntry } from './activity.ts';
import type { Prefix } from '../prefixes.ts';
import { withinPrefixes } from './within-prefixes.ts';

interface Deps {
  readonly metadata: Reads<'activity'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly clock: Clock;
}

export interface ListActivity {
  readonly accountId: string;
  /** Only what concerns files below one of these; everything when null. */
  readonly prefixes: readonly Prefix[] | null;
  /** Entries on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** Asks for the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Entries that are looked at in one step, at least: between steps others have their turn. */
const minStepEntries = 100;

/** Entries that are looked at for one page: where few are to be shown, a page may be short. */
const maxLookedAt = 10_000;

/**
 * One page of what happened in an account in the last 90 days, newest first. A page with a next one may hold fewer
 * entries than asked for.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listActivity(
  { metadata, secrets, clock }: Deps,
  { accountId, prefixes, limit, cursor }: ListActivity,
): Promise<ActivityPage> {
  const keptSince = clock.now() - activityKeptMs;
  const shownOf = (entry: ActivityEntry) => (prefixes === null ? entry : withinPrefixes(entry, prefixes));
  // One more than fits tells whether there is a next page.
  const wanted = Math.max(minStepEntries, limit + 1);
  const entries: ActivityEntry[] = [];
  let before = cursor === undefined ? undefined : parseActivityCursor(secrets, cursor, accountId);
  for (let lookedAt = 0; lookedAt < maxLookedAt;) {
    const step = await metadata.read.activity.scan({
      accountId,
      limit: wanted,
      ...(before !== undefined && { before }),
    });
    lookedAt += step.length;
    for (const entry of step) {
      // What follows is older still; where no job has come by that may be very much.
      if (entry.at <= keptSince) return { entries, next: undefined };
      const shown = shownOf(entry);
      if (!shown) continue;
      if (entries.length === limit)
        return { entries, next: formatActivityCursor(secrets, entries.at(-1)!.sequence, accountId) };
      entries.push(shown);
    }
    if (step.length < wanted) return { entries, next: undefined };
    before = step.at(-1)!.sequence;
  }
  return { entries, next: before === undefined ? undefined : formatActivityCursor(secrets, before, accountId) };
}
