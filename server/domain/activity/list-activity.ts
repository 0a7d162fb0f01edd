import { activityKeptMs } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { formatCursor, parseCursor } from '../sequence-cursor.ts';
import { frequentTypes, type ActivityEntry } from './activity.ts';
import { requireListPrefix, type Prefix } from '../prefixes.ts';
import { sequencesOf } from './sequence-range.ts';
import type { ActivityFilter, ActivityScan } from './table.ts';
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
  readonly filter?: ActivityFilter;
}

interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The least number of entries that one step reads. Other requests run between steps. */
const minStepEntries = 100;

/** The most entries that are read for one page. A page may be short if few of them are shown. */
const maxLookedAt = 10_000;

/** The most sequences that one step looks through without an index. */
const maxStepSequences = 5_000;

/** The same where an index skips most entries. */
const maxIndexedSequences = 25_000;

/** The most steps for one page. */
const maxSteps = 40;

/** The most entries below a prefix that are found by their files and then sorted. */
const maxSorted = 1_000;

/**
 * Returns one page of an account's activity of the last 90 days, newest first. Any page may have fewer entries than
 * `limit`. Only `next` shows whether it is the last.
 *
 * @throws INVALID_CONTINUATION_TOKEN, INVALID_OBJECT_PREFIX, INVALID_TIME_RANGE
 */
export async function listActivity(
  deps: Deps,
  { accountId, prefixes, limit, cursor, filter = {} }: ListActivity,
): Promise<ActivityPage> {
  requireSound(filter);
  const { secrets, clock } = deps;
  const list = { purpose: 'activity-cursor', ownerId: accountId } as const;
  const keptSince = clock.now() - activityKeptMs;
  const shownOf = (entry: ActivityEntry) => (prefixes === null ? entry : withinPrefixes(entry, prefixes));
  // One entry more than fits shows whether another page follows.
  const wanted = Math.max(minStepEntries, limit + 1);
  const entries: ActivityEntry[] = [];
  let before = cursor === undefined ? undefined : parseCursor(secrets, list, cursor);
  let lookedAt = 0;
  for await (const step of stepsOf(deps, { ...filter, accountId, before, limit: wanted })) {
    lookedAt += step.entries.length;
    for (const entry of step.entries) {
      // Everything after it is older still, and may be a lot if the job that removes it has not run.
      if (entry.at <= keptSince) return { entries, next: undefined };
      const shown = shownOf(entry);
      if (!shown) continue;
      if (entries.length === limit) return { entries, next: formatCursor(secrets, list, entries.at(-1)!.sequence) };
      entries.push(shown);
    }
    if (step.next === undefined) return { entries, next: undefined };
    before = step.next;
    if (lookedAt >= maxLookedAt) break;
  }
  return { entries, next: before === undefined ? undefined : formatCursor(secrets, list, before) };
}

/** @throws INVALID_OBJECT_PREFIX, INVALID_TIME_RANGE */
function requireSound({ prefix = '', from, to }: ActivityFilter): void {
  requireListPrefix(prefix);
  if (from !== undefined && to !== undefined && from >= to)
    throw new Refusal('INVALID_TIME_RANGE', { message: '`from` must be before `to`.' });
}

interface Step {
  readonly entries: readonly ActivityEntry[];
  /** All further entries are older than this sequence; undefined if there are none. */
  readonly next: number | undefined;
}

/** Yields the entries that fit, newest first, in steps. */
async function* stepsOf(deps: Deps, scan: ActivityScan): AsyncGenerator<Step> {
  const { accountId, prefix, limit } = scan;
  const { activity } = deps.metadata.read;
  const range = await sequencesOf(deps, accountId, scan);
  let { atLeast } = range;
  let before = earlier(scan.before, range.before);
  const isRare =
    prefix !== undefined && (await activity.countBelow(accountId, prefix, maxSorted + 1)) <= maxSorted
      ? { prefix }
      : undefined;
  const isSought = !isRare && !isIndexed(scan);
  if (isSought) {
    before ??= ((await activity.newest(accountId))?.sequence ?? 0) + 1;
    // The sequences of forgotten entries are not looked through.
    atLeast = Math.max(atLeast, (await activity.firstFrom(accountId, 0))?.sequence ?? 0);
  }
  const stepSequences = hasIndex(scan) ? maxIndexedSequences : maxStepSequences;
  for (let step = 1; step <= maxSteps || !isSought; step++) {
    const from = isSought ? Math.max(atLeast, before! - stepSequences) : atLeast;
    const within = { ...scan, before, atLeast: from };
    const entries = await (isRare ? activity.scanBelow({ ...within, ...isRare }) : activity.scan(within));
    const next = entries.length === limit ? entries.at(-1)!.sequence : from > atLeast ? from : undefined;
    yield { entries, next };
    if (next === undefined) return;
    before = next;
  }
}

/** Whether an index holds only entries that fit, so that a step reads no others. */
function isIndexed({ type, auth, prefix }: ActivityFilter): boolean {
  return type === undefined && auth === undefined && prefix === undefined;
}

/** Whether an index skips most entries that do not fit. */
function hasIndex({ type, keyId }: ActivityFilter): boolean {
  return keyId !== undefined || (type !== undefined && !frequentTypes.includes(type));
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
