import { createHash } from 'node:crypto';

import { sharePassMs } from '../limits.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Share } from './share.ts';

/** The link that a pass is for: the id that opens it, and the hash of its password. */
interface LockedLink extends Pick<Share, 'passwordHash'> {
  readonly id: string;
}

const purpose = 'share-pass';

/** What is signed: the link, until when, and the password that was given, so that another one ends it. */
function textOf({ id, passwordHash }: LockedLink, until: number): string {
  return JSON.stringify([
    id,
    until,
    createHash('sha256')
      .update(passwordHash ?? '')
      .digest('base64url'),
  ]);
}

/** Shows that somebody gave the password of a link; it holds for that link alone, for an hour. */
export function sharePassFor(secrets: Pick<Secrets, 'sign'>, link: LockedLink, now: number): string {
  const until = now + sharePassMs;
  return `${until}.${secrets.sign(purpose, textOf(link, until))}`;
}

/** Whether a pass opens the link at `now`. */
export function isSharePassFor(secrets: Pick<Secrets, 'verify'>, link: LockedLink, pass: string, now: number): boolean {
  const [, until = '', signature = ''] = /^(\d{1,15})\.([\w-]+)$/.exec(pass) ?? [];
  return Number(until) > now && secrets.verify(purpose, textOf(link, Number(until)), signature);
}
