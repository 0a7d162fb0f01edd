import type { Event } from '#generated/types.ts';
import { eventId } from '#server/domain/events/event.ts';
import type { SeenEvent } from '#server/domain/events/seen-event.ts';
import { eventData } from './event-data.ts';
import { timestamp } from '#server/handlers/wire.ts';

/** Returns an event as clients get it, also as the body of a webhook. */
export function wireEvent(event: SeenEvent): Event {
  const { type, at, accountId, hidden = [] } = event;
  const data: Event['data'] = eventData(event);
  // These fields have the same name on the wire.
  for (const name of hidden) delete data[name];
  return { id: eventId(event), type, timestamp: timestamp(at), account_id: accountId, data };
}
