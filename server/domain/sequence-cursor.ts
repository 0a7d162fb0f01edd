import type { Secrets } from './ports/secrets.ts';
import { signCursor, verifyCursor } from './signed-cursor.ts';

/** A list that is read by sequence, newest first. A cursor of one list means nothing for another. */
export interface SequencedList {
  /** Keeps the signatures of different kinds of lists apart. */
  readonly purpose: 'activity-cursor' | 'audit-cursor' | 'deliveries-cursor' | 'deploys-cursor';
  /** The account or application that the list belongs to. Empty for a list of the installation. */
  readonly ownerId: string;
}

/** Formats the sequence before which the next page begins, for clients: in base 36, and signed. */
export function formatCursor(
  secrets: Pick<Secrets, 'sign'>,
  { purpose, ownerId }: SequencedList,
  before: number,
): string {
  return signCursor(secrets, purpose, before.toString(36), [ownerId]);
}

/**
 * Reads a cursor of this list.
 *
 * @throws INVALID_CONTINUATION_TOKEN for any other text
 */
export function parseCursor(
  secrets: Pick<Secrets, 'verify'>,
  { purpose, ownerId }: SequencedList,
  cursor: string,
): number {
  const [position] = verifyCursor(secrets, purpose, cursor, { form: /^[0-9a-z]{1,11}$/, binding: [ownerId] });
  return Number.parseInt(position, 36);
}
