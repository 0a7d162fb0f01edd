import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { parseDownloadToken } from './download-link.ts';

/**
 * Returns a function that finds the owner of a temporary link. The link names its account, even when it has expired. A
 * forged one has no owner.
 */
export function downloadLinkOwner({ secrets }: { readonly secrets: Pick<Secrets, 'verify'> }): FindLinkOwner {
  return (path) => {
    const [, token] = /^\/d\/([^/?#]+)\/?(?:[?#].*)?$/s.exec(path) ?? [];
    const link = token === undefined ? undefined : parseDownloadToken(secrets, token);
    return link && { owner: { accountId: link.accountId }, path: '/d/:id' };
  };
}
