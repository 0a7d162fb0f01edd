import type { EventDetails } from './event-details.ts';
import type { EventType } from './event-type.ts';

interface NewEventOf<Type extends EventType> {
  readonly accountId: string;
  readonly type: Type;
  /** The key of its file, under its id afterwards. Null if it is about none. */
  readonly key: string | null;
  readonly data: EventDetails<Type>;
}

/** An event that is about to be recorded. */
export type NewEvent = { [Type in EventType]: NewEventOf<Type> }[EventType];

/** An event as it is stored. */
export type StoredEvent = NewEvent & {
  /** Counts up within the account without gaps, in the order in which the changes were committed. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/**
 * Returns the id of an event. It is the same wherever and however often the event is delivered. The instant is part of
 * it, because a database that was restored from a backup gives the same sequences to other events.
 */
export function eventId({ accountId, sequence, at }: Pick<StoredEvent, 'accountId' | 'sequence' | 'at'>): string {
  return `evt_${accountId}_${sequence.toString(36)}_${at.toString(36)}`;
}

/** Reads the sequence and the instant from the id of an event of this account. Undefined for any other text. */
export function parseEventId(id: string, accountId: string): Pick<StoredEvent, 'sequence' | 'at'> | undefined {
  const [, owner, sequence = '', at = ''] = /^evt_([0-9]{18})_([0-9a-z]{1,10})_([0-9a-z]{1,10})$/.exec(id) ?? [];
  return owner === accountId ? { sequence: Number.parseInt(sequence, 36), at: Number.parseInt(at, 36) } : undefined;
}
