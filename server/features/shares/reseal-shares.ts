import { resealRows } from '#server/domain/master-key/reseal-rows.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { renewedShareId } from './share-id.ts';

interface Deps {
  readonly metadata: Metadata<'shares'>;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

/** Stores the ids of links under the current master key. Returns how many it changed. */
export function resealShares(deps: Deps): Promise<number> {
  return resealRows(deps, {
    page: (after, limit) => deps.metadata.read.shares.listAfter(after, limit),
    idOf: ({ idHash }) => idHash,
    change: (share) => {
      const renewed = renewedShareId(deps.secrets, share);
      return renewed && ((tx) => tx.shares.renewId(share.idHash, renewed));
    },
  });
}
