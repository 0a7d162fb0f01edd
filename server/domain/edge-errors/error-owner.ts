import { parseDownloadToken } from '../links/download-link.ts';
import type { Secrets } from '../ports/secrets.ts';
import { shareIdHash } from '../shares/share-id.ts';
import type { ErrorOwner } from './door-errors.ts';
import { normalisePath } from './normalise-path.ts';

/** To whom an error of Cubby's own doors is counted, and under which path. */
export interface OwnedPath {
  readonly owner: ErrorOwner;
  readonly path: string;
}

/** Of a public file: its address begins with the account. `undefined` where it could be nobody's. */
export function publicErrorOwner(target: string): OwnedPath | undefined {
  const [, accountId] = /^\/([0-9]{18})\//.exec(pathOf(target)) ?? [];
  return accountId === undefined ? undefined : { owner: { accountId }, path: normalisePath(target) };
}

/**
 * Of a link: its own name opens something, so that it is never kept. A temporary link names its account, also when it
 * has expired; `undefined` when it is forged.
 */
export function linkErrorOwner(
  { secrets }: { readonly secrets: Pick<Secrets, 'verify' | 'credentialHash'> },
  target: string,
): OwnedPath | undefined {
  const [, kind, name] = /^\/([ds])\/([^/?#]+)\/?(?:[?#].*)?$/s.exec(pathOf(target)) ?? [];
  if (name === undefined) return undefined;
  if (kind === 's') return { owner: { shareIdHash: shareIdHash(secrets, name) }, path: '/s/:id' };
  const link = parseDownloadToken(secrets, name);
  return link && { owner: { accountId: link.accountId }, path: '/d/:id' };
}

/** Of a whole URL, as clients of a proxy send it, what follows the host. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}
