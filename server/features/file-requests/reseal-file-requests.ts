import { resealRows } from '#server/domain/master-key/reseal-rows.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { renewedLink } from './link.ts';

interface Deps {
  readonly metadata: Metadata<'fileRequests'>;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

/** Stores the addresses of file requests under the current master key. Returns how many it changed. */
export function resealFileRequests(deps: Deps): Promise<number> {
  return resealRows(deps, {
    page: (after, limit) => deps.metadata.read.fileRequests.listAfter(after, limit),
    idOf: ({ id }) => id,
    change: (request) => {
      const renewed = renewedLink(deps.secrets, request);
      return renewed && ((tx) => tx.fileRequests.renewLink(request.id, renewed));
    },
  });
}
