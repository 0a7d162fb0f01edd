import type { Reads } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { eventId, parseEventId, type StoredEvent } from './event.ts';
import { seenEvent, type EventView, type SeenEvent } from './seen-event.ts';

type Events = Pick<Reads<'events'>['read']['events'], 'find'>;

interface EventOf {
  readonly accountId: string;
  readonly eventId: string;
}

/**
 * Returns an event of an account.
 *
 * @throws EVENT_NOT_FOUND, also for one of another account and for one that is no longer kept
 */
export async function findEvent(events: Events, { accountId, eventId: id }: EventOf): Promise<StoredEvent> {
  const named = parseEventId(id, accountId);
  const event = named && (await events.find(accountId, named.sequence));
  // A database that was restored from a backup gives the sequence to another event.
  if (!event || eventId(event) !== id) throw new Refusal('EVENT_NOT_FOUND');
  return event;
}

/**
 * Returns an event as somebody may see it.
 *
 * @throws EVENT_NOT_FOUND, also if nothing of it may be seen
 */
export async function findSeenEvent(events: Events, which: EventOf, view: EventView): Promise<SeenEvent> {
  const seen = seenEvent(await findEvent(events, which), view);
  if (!seen) throw new Refusal('EVENT_NOT_FOUND');
  return seen;
}
