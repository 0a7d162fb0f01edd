import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Deploy } from './deploy.ts';
import { originOf } from './push.ts';

/**
 * Binds the access token to the origin of this deploy's repository, unless it is bound already. Call it only for a
 * repository that the runner may clone.
 */
export async function settleTokenOrigin(
  { metadata }: { readonly metadata: Writes<'gitWebhooks'> },
  { appId, repository }: Pick<Deploy, 'appId' | 'repository'>,
): Promise<void> {
  const origin = originOf(repository);
  if (origin !== undefined) await metadata.atomically((tx) => tx.gitWebhooks.settleTokenOrigin(appId, origin));
}
