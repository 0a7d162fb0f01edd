import type { Secrets } from './ports/secrets.ts';
import { Refusal } from './refusal.ts';

/** A list that is read by sequence, newest first. A cursor of one list means nothing for another. */
interface SequencedList {
  /** Keeps the signatures of different kinds of lists apart. */
  readonly purpose: 'activity-cursor' | 'audit-cursor' | 'deliveries-cursor' | 'deploys-cursor';
  /** The account or application that the list belongs to. Empty for a list of the installation. */
  readonly ownerId: string;
}

function signedText({ ownerId }: SequencedList, position: string): string {
  return JSON.stringify([position, ownerId]);
}

/** Formats the sequence before which the next page begins, for clients: in base 36, and signed. */
export function formatCursor(secrets: Pick<Secrets, 'sign'>, list: SequencedList, before: number): string {
  const position = before.toString(36);
  return `${position}.${secrets.sign(list.purpose, signedText(list, position))}`;
}

/**
 * Reads a cursor of this list.
 *
 * @throws INVALID_CONTINUATION_TOKEN for any other text
 */
export function parseCursor(secrets: Pick<Secrets, 'verify'>, list: SequencedList, cursor: string): number {
  const [, position = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]+)$/.exec(cursor) ?? [];
  if (!secrets.verify(list.purpose, signedText(list, position), signature))
    throw new Refusal('INVALID_CONTINUATION_TOKEN');
  return Number.parseInt(position, 36);
}
