import type { Writes } from '#server/domain/ports/metadata.ts';
import { changeDeploy } from './deploy-event.ts';
import { afterEvent, type Deploy } from './deploy.ts';
import { findDeploy, type NamedDeploy } from './find-deploy.ts';

/**
 * Cancels a waiting deploy at once, and asks the runner of a running one to stop it. Leaves a deploy that has ended as
 * it is.
 *
 * @returns the deploy as it is now
 * @throws APP_NOT_FOUND, DEPLOYMENT_NOT_FOUND
 */
export function cancelDeploy(
  { metadata }: { readonly metadata: Writes<'apps' | 'commitStatuses' | 'deploys' | 'events'> },
  named: NamedDeploy,
): Promise<Deploy> {
  return metadata.atomically(
    async (tx) => {
      await findDeploy(tx, named);
      await tx.deploys.askCancel(named.deployId, tx.now);
      // Read after the wish is stored. A runner that takes the deploy from here on sees it.
      const current = (await tx.deploys.find(named.deployId))!;
      if (current.state === 'pending') await changeDeploy(tx, current, afterEvent(current, 'cancelled', {}, tx.now));
      return (await tx.deploys.find(named.deployId))!;
    },
    { account: named.accountId },
  );
}
