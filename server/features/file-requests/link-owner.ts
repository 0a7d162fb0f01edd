import type { Reads } from '#server/domain/ports/metadata.ts';
import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { linkHash } from './link.ts';

interface Deps {
  readonly metadata: Reads<'fileRequests'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** Returns a function that finds the owner of the page of a request. The pages below it count as it. */
export function requestLinkOwner({ metadata, secrets }: Deps): FindLinkOwner {
  return (path) => {
    const [, link] = /^\/r\/([^/?#]+)(?:\/(?:password|sent|receipt)?)?(?:[?#].*)?$/s.exec(path) ?? [];
    if (link === undefined) return undefined;
    const hashes = secrets.finders().map((key) => linkHash(key, link));
    return { owner: { key: `request ${hashes[0]}`, account: () => accountOf(metadata, hashes) }, path: '/r/:id' };
  };
}

async function accountOf({ read }: Deps['metadata'], hashes: readonly string[]): Promise<string | undefined> {
  for (const hash of hashes) {
    const request = await read.fileRequests.findByLink(hash);
    if (request) return request.accountId;
  }
  return undefined;
}
