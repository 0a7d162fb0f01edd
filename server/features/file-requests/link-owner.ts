import type { Reads } from '#server/domain/ports/metadata.ts';
import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { findByLink, linkHash } from './link.ts';

interface Deps {
  readonly metadata: Reads<'fileRequests'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** Returns a function that finds the owner of the page of a request. The pages below it count as it. */
export function requestLinkOwner({ metadata, secrets }: Deps): FindLinkOwner {
  return (path) => {
    const [, link] = /^\/r\/([^/?#]+)(?:\/(?:password|sent|receipt)?)?(?:[?#].*)?$/s.exec(path) ?? [];
    if (link === undefined) return undefined;
    const account = async () => (await findByLink(metadata.read, secrets, link))?.accountId;
    return { owner: { key: `request ${linkHash(secrets.finders()[0]!, link)}`, account }, path: '/r/:id' };
  };
}
