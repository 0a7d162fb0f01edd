import { findApp } from '#server/features/apps/find-app.ts';
import type { AppsReader } from '#server/features/apps/table.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Deploy } from './deploy.ts';

/** A deploy, as a client names it. */
export interface NamedDeploy {
  readonly accountId: string;
  readonly appId: string;
  readonly deployId: string;
}

interface Readers {
  readonly apps: Pick<AppsReader, 'find'>;
  readonly deploys: { find(deployId: string): Promise<Deploy | undefined> };
}

/**
 * Finds a deploy of an application of the account, inside or outside a transaction.
 *
 * @throws APP_NOT_FOUND, and DEPLOYMENT_NOT_FOUND also when it is another application's
 */
export async function findDeploy(
  { apps, deploys }: Readers,
  { accountId, appId, deployId }: NamedDeploy,
): Promise<Deploy> {
  await findApp(apps, { appId, accountId });
  const deploy = await deploys.find(deployId);
  if (deploy?.appId !== appId) throw new Refusal('DEPLOYMENT_NOT_FOUND');
  return deploy;
}
