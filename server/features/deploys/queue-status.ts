import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { Deploy } from './deploy.ts';
import { isNoCommit, originOf } from './push.ts';

/**
 * Queues the report of a deploy's state, if its application has a token for the origin of the repository. A commit that
 * is not known yet has no status.
 */
export async function queueStatus(
  tx: Transaction<'commitStatuses'>,
  { id, appId, repository, commit, state }: Omit<Deploy, 'sequence'>,
): Promise<void> {
  const origin = originOf(repository);
  if (origin === undefined || isNoCommit(commit)) return;
  const token = await tx.commitStatuses.tokenOf(appId);
  if (token?.origin === origin) await tx.commitStatuses.queue({ deployId: id, appId, origin, state }, tx.now);
}
