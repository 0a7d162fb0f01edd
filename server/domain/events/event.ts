/** The types of events. @see openapi/schemas/EventType.yaml */
export const eventTypes = [
  'object.created',
  'object.replaced',
  'object.updated',
  'object.moved',
  'object.visibility_changed',
  'object.expiry_changed',
  'object.deleted',
  'object.expired',
  'object.restored',
  'object.purged',
  'upload.started',
  'upload.completed',
  'upload.aborted',
  'share.created',
  'share.updated',
  'share.visited',
  'share.downloaded',
  'share.spent',
  'share.ended',
  'file_request.created',
  'file_request.updated',
  'file_request.received',
  'file_request.full',
  'file_request.ended',
  'upload_token.used_up',
  'quota.reached',
  'ai.budget_reached',
  'key.created',
  'key.updated',
  'key.revoked',
  'deploy.queued',
  'deploy.started',
  'deploy.ended',
  'deploy.filtered',
  'webhook.test',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The details of an event, with the names and values that clients see. */
export type EventData = Readonly<Record<string, unknown>>;

/** An event that is about to be recorded. */
export interface NewEvent {
  readonly accountId: string;
  readonly type: EventType;
  /** The key of its file, under its id afterwards. Null if it is about none. */
  readonly key: string | null;
  readonly data: EventData;
}

/** An event as it is stored. */
export interface StoredEvent extends NewEvent {
  /** Counts up within the account without gaps, in the order in which the changes were committed. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

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
