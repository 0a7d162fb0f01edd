import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { addDeploy } from './add-deploy.ts';
import type { Deploy } from './deploy.ts';
import { findDeploy, type NamedDeploy } from './find-deploy.ts';

interface Deps {
  readonly metadata: Writes<'apps' | 'commitStatuses' | 'deploys' | 'events'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

/**
 * Queues a new deploy of what an earlier one deployed. A waiting deploy of the branch is superseded.
 *
 * @throws APP_NOT_FOUND, DEPLOYMENT_NOT_FOUND
 */
export function redeploy({ metadata, ids }: Deps, named: NamedDeploy): Promise<Deploy> {
  return metadata.atomically(
    async (tx) => {
      const { appId, branch, commit, message, repository, host } = await findDeploy(tx, named);
      const again = { appId, branch, commit, message, repository, host };
      return (await tx.deploys.find(await addDeploy(tx, { ids, apartMs: 0 }, again)))!;
    },
    { account: named.accountId },
  );
}
