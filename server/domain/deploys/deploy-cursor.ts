import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';

const purpose = 'deploys-cursor';

/** A cursor is bound to its application: for another one it means nothing. */
function bound(position: string, appId: string): string {
  return JSON.stringify([position, appId]);
}

/** The sequence behind which the next page begins, as clients carry it: in base 36, and signed. */
export function formatDeployCursor(secrets: Pick<Secrets, 'sign'>, before: number, appId: string): string {
  const position = before.toString(36);
  return `${position}.${secrets.sign(purpose, bound(position, appId))}`;
}

/** @throws INVALID_CONTINUATION_TOKEN when it is malformed, or another application's */
export function parseDeployCursor(secrets: Pick<Secrets, 'verify'>, cursor: string, appId: string): number {
  const [, position = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]+)$/.exec(cursor) ?? [];
  if (!secrets.verify(purpose, bound(position, appId), signature)) throw new Refusal('INVALID_CONTINUATION_TOKEN');
  return Number.parseInt(position, 36);
}
