import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';

const purpose = 'activity-cursor';

/** A cursor is bound to its account: for another one it means nothing. */
function bound(position: string, accountId: string): string {
  return JSON.stringify([position, accountId]);
}

/** The sequence behind which the next page begins, as clients carry it: in base 36, and signed. */
export function formatActivityCursor(secrets: Pick<Secrets, 'sign'>, before: number, accountId: string): string {
  const position = before.toString(36);
  return `${position}.${secrets.sign(purpose, bound(position, accountId))}`;
}

/** @throws INVALID_CONTINUATION_TOKEN when it is malformed, or another account's */
export function parseActivityCursor(secrets: Pick<Secrets, 'verify'>, cursor: string, accountId: string): number {
  const [, position = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]+)$/.exec(cursor) ?? [];
  if (!secrets.verify(purpose, bound(position, accountId), signature)) throw new Refusal('INVALID_CONTINUATION_TOKEN');
  return Number.parseInt(position, 36);
}
