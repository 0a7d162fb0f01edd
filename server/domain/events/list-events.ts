import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { beforeFirst, formatEventCursor, parseEventCursor, type EventPlace } from './event-cursor.ts';
import { seenEvent, type EventView, type SeenEvent } from './seen-event.ts';

interface Deps {
  readonly metadata: Reads<'events'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

export interface ListEvents extends EventView {
  readonly accountId: string;
  /** Events on a page, at least 1. */
  readonly limit: number;
  /** Where to go on. Undefined: at the oldest event that is kept. `latest`: behind the newest one. */
  readonly cursor: string | undefined;
}

export interface EventPage {
  readonly events: readonly SeenEvent[];
  /** The place behind the last event that was looked at. Reading from it later returns what has happened by then. */
  readonly cursor: string;
  /** Whether events behind the given cursor are no longer kept. The page then begins with the oldest that is. */
  readonly isTruncated: boolean;
  /** Whether more events follow at once. */
  readonly hasMore: boolean;
}

/** The cursor of the end: only what happens from now on. */
const latestCursor = 'latest';

/** Events that are read in one step. Other requests run between steps. */
const stepEvents = 200;

/** The most events that are read for one page. A page may be short if few of them are shown. */
const maxLookedAt = 2_000;

/**
 * Returns one page of an account's events, oldest first.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listEvents(deps: Deps, { accountId, limit, cursor, ...view }: ListEvents): Promise<EventPage> {
  const { place, isTruncated } = await startOf(deps, accountId, cursor);
  const events: SeenEvent[] = [];
  let last: EventPlace = place;
  let hasMore = true;
  for (let lookedAt = 0; hasMore && events.length < limit && lookedAt < maxLookedAt;) {
    const step = await deps.metadata.read.events.scan({ accountId, after: last.sequence, limit: stepEvents });
    lookedAt += step.length;
    hasMore = step.length === stepEvents;
    for (const event of step) {
      if (events.length === limit) {
        hasMore = true;
        break;
      }
      last = event;
      const seen = seenEvent(event, view);
      if (seen) events.push(seen);
    }
  }
  return { events, cursor: formatEventCursor(deps.secrets, accountId, last), isTruncated, hasMore };
}

interface Start {
  readonly place: EventPlace;
  readonly isTruncated: boolean;
}

async function startOf({ metadata, secrets }: Deps, accountId: string, cursor: string | undefined): Promise<Start> {
  const { events } = metadata.read;
  if (cursor === undefined) return { place: beforeFirst, isTruncated: false };
  if (cursor === latestCursor) {
    const newest = await events.newest(accountId);
    const event = await events.find(accountId, newest);
    return { place: event ?? { sequence: newest, at: 0 }, isTruncated: false };
  }
  const place = parseEventCursor(secrets, accountId, cursor);
  return (await isGone(events, accountId, place))
    ? { place: beforeFirst, isTruncated: true }
    : { place, isTruncated: false };
}

/** Whether events behind this place were forgotten, or belong to another history than that of the cursor. */
async function isGone(
  events: Deps['metadata']['read']['events'],
  accountId: string,
  { sequence, at }: EventPlace,
): Promise<boolean> {
  const event = await events.find(accountId, sequence);
  // A database that was restored from a backup gives the sequence to another event.
  if (event) return at !== 0 && event.at !== at;
  const [[next], newest] = await Promise.all([
    events.scan({ accountId, after: sequence, limit: 1 }),
    events.newest(accountId),
  ]);
  return next ? next.sequence > sequence + 1 : newest !== sequence;
}
