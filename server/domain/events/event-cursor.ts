import type { Secrets } from '../ports/secrets.ts';
import { signCursor, verifyCursor } from '../signed-cursor.ts';
import type { StoredEvent } from './event.ts';

const purpose = 'events-cursor';

/** A place in the events of an account: behind an event, or before the first one. */
export type EventPlace = Pick<StoredEvent, 'sequence' | 'at'>;

/** The place before the first event. */
export const beforeFirst: EventPlace = { sequence: 0, at: 0 };

/** Formats a place for clients: sequence and instant of the event, and a signature over them and the account. */
export function formatEventCursor(
  secrets: Pick<Secrets, 'sign'>,
  accountId: string,
  { sequence, at }: EventPlace,
): string {
  return signCursor(secrets, purpose, `${sequence.toString(36)}-${at.toString(36)}`, [accountId]);
}

/**
 * Reads a cursor of this account.
 *
 * @throws INVALID_CONTINUATION_TOKEN for any other text
 */
export function parseEventCursor(secrets: Pick<Secrets, 'verify'>, accountId: string, cursor: string): EventPlace {
  const form = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})$/;
  const [, sequence = '', at = ''] = verifyCursor(secrets, purpose, cursor, { form, binding: [accountId] });
  return { sequence: Number.parseInt(sequence, 36), at: Number.parseInt(at, 36) };
}
