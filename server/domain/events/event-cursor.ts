import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import type { StoredEvent } from './event.ts';

const purpose = 'events-cursor';

/** A place in the events of an account: behind an event, or before the first one. */
export type EventPlace = Pick<StoredEvent, 'sequence' | 'at'>;

/** The place before the first event. */
export const beforeFirst: EventPlace = { sequence: 0, at: 0 };

function signed(position: string, accountId: string): string {
  return JSON.stringify([position, accountId]);
}

/** Formats a place for clients: sequence and instant of the event, and a signature over them and the account. */
export function formatEventCursor(
  secrets: Pick<Secrets, 'sign'>,
  accountId: string,
  { sequence, at }: EventPlace,
): string {
  const position = `${sequence.toString(36)}-${at.toString(36)}`;
  return `${position}.${secrets.sign(purpose, signed(position, accountId))}`;
}

/**
 * Reads a cursor of this account.
 *
 * @throws INVALID_CONTINUATION_TOKEN for any other text
 */
export function parseEventCursor(secrets: Pick<Secrets, 'verify'>, accountId: string, cursor: string): EventPlace {
  const [, position = '', sequence = '', at = '', signature = ''] =
    /^(([0-9a-z]{1,10})-([0-9a-z]{1,10}))\.([\w-]+)$/.exec(cursor) ?? [];
  if (!secrets.verify(purpose, signed(position, accountId), signature)) throw new Refusal('INVALID_CONTINUATION_TOKEN');
  return { sequence: Number.parseInt(sequence, 36), at: Number.parseInt(at, 36) };
}
