import type { Writes } from '../ports/metadata.ts';
import type { Deploy } from './deploy.ts';
import { originOf } from './push.ts';

/**
 * Settles that the access token belongs to the origin of this deploy's repository, unless that is settled. Only for a
 * repository that the runner may clone.
 */
export async function settleTokenOrigin(
  { metadata }: { readonly metadata: Writes<'gitWebhooks'> },
  { appId, repository }: Pick<Deploy, 'appId' | 'repository'>,
): Promise<void> {
  const origin = originOf(repository);
  if (origin !== undefined) await metadata.atomically((tx) => tx.gitWebhooks.settleTokenOrigin(appId, origin));
}
