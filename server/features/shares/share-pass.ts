import { hash } from 'node:crypto';

import { sharePassMs } from '#server/domain/limits.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Share } from './share.ts';

/** The link that a pass is for: its id, and the hash of its password. */
export interface LockedLink extends Pick<Share, 'passwordHash'> {
  readonly id: string;
}

const purpose = 'share-pass';

/** Returns the signed text: the link, the end of the pass and the password, so that a new password ends the pass. */
function textOf({ id, passwordHash }: LockedLink, until: number): string {
  return JSON.stringify([id, until, hash('sha256', passwordHash ?? '', 'base64url')]);
}

/** Makes a pass for one link, valid for an hour. It proves that its holder knew the password. */
export function sharePassFor(secrets: Pick<Secrets, 'sign'>, link: LockedLink, now: number): string {
  const until = now + sharePassMs;
  return `${until}.${secrets.sign(purpose, textOf(link, until))}`;
}

/** Whether a pass opens the link at `now`. */
export function isSharePassFor(secrets: Pick<Secrets, 'verify'>, link: LockedLink, pass: string, now: number): boolean {
  const [, until = '', signature = ''] = /^(\d{1,15})\.([\w-]+)$/.exec(pass) ?? [];
  return Number(until) > now && secrets.verify(purpose, textOf(link, Number(until)), signature);
}
