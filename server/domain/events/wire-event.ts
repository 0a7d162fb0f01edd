import { eventId, type EventData, type EventType, type StoredEvent } from './event.ts';
import { instant } from './record-event.ts';

/** An event as clients get it, also as the body of a webhook. @see openapi/schemas/Event.yaml */
interface WireEvent {
  id: string;
  type: EventType;
  timestamp: string;
  account_id: string;
  data: { [name: string]: unknown };
}

export function wireEvent(event: StoredEvent): WireEvent {
  const { type, at, accountId, data }: { type: EventType; at: number; accountId: string; data: EventData } = event;
  return { id: eventId(event), type, timestamp: instant(at), account_id: accountId, data: { ...data } };
}
