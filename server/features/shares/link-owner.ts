import type { Reads } from '#server/domain/ports/metadata.ts';
import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { findShareById, shareIdHash } from './share-id.ts';

interface Deps {
  readonly metadata: Reads<'shares'>;
  readonly secrets: Pick<Secrets, 'finders'>;
}

/** Returns a function that finds the owner of a share link, also of one that has ended. */
export function shareLinkOwner({ metadata, secrets }: Deps): FindLinkOwner {
  return (path) => {
    const [, shareId] = /^\/s\/([^/?#]+)\/?(?:[?#].*)?$/s.exec(path) ?? [];
    if (shareId === undefined) return undefined;
    const account = async () => (await findShareById(metadata.read, secrets, shareId))?.object.accountId;
    return { owner: { key: `share ${shareIdHash(secrets.finders()[0]!, shareId)}`, account }, path: '/s/:id' };
  };
}
