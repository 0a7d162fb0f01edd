import { activityKeptMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { formatCursor, parseCursor } from '../sequence-cursor.ts';
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
  /** Limits the list to files below these prefixes; null shows everything. */
  readonly prefixes: readonly Prefix[] | null;
  /** Entries on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The least number of entries that one step reads. Other requests run between steps. */
const minStepEntries = 100;

/** The most entries that are read for one page. A page may be short if few of them are shown. */
const maxLookedAt = 10_000;

/**
 * Returns one page of an account's activity of the last 90 days, newest first. Any page may have fewer entries than
 * `limit`. Only `next` shows whether it is the last.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listActivity(
  { metadata, secrets, clock }: Deps,
  { accountId, prefixes, limit, cursor }: ListActivity,
): Promise<ActivityPage> {
  const list = { purpose: 'activity-cursor', ownerId: accountId } as const;
  const keptSince = clock.now() - activityKeptMs;
  const shownOf = (entry: ActivityEntry) => (prefixes === null ? entry : withinPrefixes(entry, prefixes));
  // One entry more than fits shows whether another page follows.
  const wanted = Math.max(minStepEntries, limit + 1);
  const entries: ActivityEntry[] = [];
  let before = cursor === undefined ? undefined : parseCursor(secrets, list, cursor);
  for (let lookedAt = 0; lookedAt < maxLookedAt;) {
    const step = await metadata.read.activity.scan({
      accountId,
      limit: wanted,
      ...(before !== undefined && { before }),
    });
    lookedAt += step.length;
    for (const entry of step) {
      // Everything after it is older still, and may be a lot if the job that removes it has not run.
      if (entry.at <= keptSince) return { entries, next: undefined };
      const shown = shownOf(entry);
      if (!shown) continue;
      if (entries.length === limit) return { entries, next: formatCursor(secrets, list, entries.at(-1)!.sequence) };
      entries.push(shown);
    }
    if (step.length < wanted) return { entries, next: undefined };
    before = step.at(-1)!.sequence;
  }
  return { entries, next: before === undefined ? undefined : formatCursor(secrets, list, before) };
}
