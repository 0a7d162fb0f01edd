import { parseDownloadToken } from '#server/features/files/download-link.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { linkHash } from '#server/features/file-requests/link.ts';
import { shareIdHash } from '#server/features/shares/share-id.ts';
import type { ErrorOwner } from './door-errors.ts';
import { normalisePath } from './normalise-path.ts';

/** The owner that an error of Cubby's own doors is counted for, and the path. */
export interface OwnedPath {
  readonly owner: ErrorOwner;
  readonly path: string;
}

/**
 * Finds the owner of a public file by the account at the beginning of its address. Returns undefined for another
 * address.
 */
export function publicErrorOwner(target: string): OwnedPath | undefined {
  const [, accountId] = /^\/([0-9]{18})\//.exec(pathOf(target)) ?? [];
  return accountId === undefined ? undefined : { owner: { accountId }, path: normalisePath(target) };
}

/** Pages below that of a file request count as it. */
const belowRequest = /^(\/r\/[^/?#]+)\/(?:password|sent|receipt)(?=[?#]|$)/;

/**
 * Finds the owner of a link, with a path that leaves out its secret part. A temporary link names its account, even when
 * it has expired. Returns undefined when it is forged.
 */
export function linkErrorOwner(
  { secrets }: { readonly secrets: Pick<Secrets, 'verify' | 'finders'> },
  target: string,
): OwnedPath | undefined {
  const [, kind, name] = /^\/([dsr])\/([^/?#]+)\/?(?:[?#].*)?$/s.exec(pathOf(target).replace(belowRequest, '$1')) ?? [];
  if (name === undefined) return undefined;
  if (kind === 's')
    return { owner: { shareIdHashes: secrets.finders().map((key) => shareIdHash(key, name)) }, path: '/s/:id' };
  if (kind === 'r')
    return { owner: { requestLinkHashes: secrets.finders().map((key) => linkHash(key, name)) }, path: '/r/:id' };
  const link = parseDownloadToken(secrets, name);
  return link && { owner: { accountId: link.accountId }, path: '/d/:id' };
}

/** Returns the path of a target, which may be a whole URL as proxies send it. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}
