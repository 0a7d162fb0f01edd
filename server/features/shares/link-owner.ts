import type { Reads } from '#server/domain/ports/metadata.ts';
import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { shareIdHash } from './share-id.ts';

interface Deps {
  readonly metadata: Reads<'shares'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** Returns a function that finds the owner of a share link, also of one that has ended. */
export function shareLinkOwner({ metadata, secrets }: Deps): FindLinkOwner {
  return (path) => {
    const [, shareId] = /^\/s\/([^/?#]+)\/?(?:[?#].*)?$/s.exec(path) ?? [];
    if (shareId === undefined) return undefined;
    const hashes = secrets.finders().map((key) => shareIdHash(key, shareId));
    return { owner: { key: `share ${hashes[0]}`, account: () => accountOf(metadata, hashes) }, path: '/s/:id' };
  };
}

async function accountOf({ read }: Deps['metadata'], hashes: readonly string[]): Promise<string | undefined> {
  for (const hash of hashes) {
    const share = await read.shares.find(hash);
    if (share) return share.object.accountId;
  }
  return undefined;
}
