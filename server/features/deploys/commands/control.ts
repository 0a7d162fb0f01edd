import type { Command } from 'commander';

import type { AuditAction } from '#server/domain/audit/audit-entry.ts';
import { cancelDeploy } from '../cancel-deploy.ts';
import type { Deploy } from '../deploy.ts';
import type { NamedDeploy } from '../find-deploy.ts';
import { redeploy } from '../redeploy.ts';
import { requireApp } from '#server/features/apps/commands/require-app.ts';
import type { Answer, Operator, Stores } from '#server/cli/operator.ts';
import { recordAction } from '#server/cli/record-action.ts';
import { deployJson } from './list.ts';
import { parseDeployId, requireDeploy } from './show.ts';

export function addDeploysControl(deploys: Command, operator: Operator): void {
  deploys
    .command('cancel')
    .description('cancel a deploy that waits or runs; the runner stops a command within seconds')
    .argument('<id>', 'deploy id from "deploys list"', parseDeployId)
    .action(operator.storesAction((stores, deployId: string) => cancel(operator, stores, deployId)));
  deploys
    .command('redeploy')
    .description('queue the commit of a deploy again')
    .argument('<id>', 'deploy id from "deploys list"', parseDeployId)
    .action(operator.storesAction((stores, deployId: string) => again(operator, stores, deployId)));
}

async function cancel(operator: Operator, stores: Stores, deployId: string): Promise<Answer> {
  const deploy = await control(operator, stores, deployId, { action: 'deploy.cancelled', work: cancelDeploy });
  const text =
    deploy.state === 'running'
      ? `The runner of ${deployId} stops its command now.`
      : `The deploy ${deployId} is ${deploy.state}.`;
  return { json: deployJson(deploy), text };
}

async function again(operator: Operator, stores: Stores, deployId: string): Promise<Answer> {
  const deploy = await control(operator, stores, deployId, { action: 'deploy.repeated', work: redeploy });
  return { json: deployJson(deploy), text: `Deploy ${deploy.id} of ${deploy.branch} at ${deploy.commit} is queued.` };
}

interface Control {
  readonly action: AuditAction;
  readonly work: (stores: Stores, named: NamedDeploy) => Promise<Deploy>;
}

/** Does something with a deploy, for its account, and records it. */
async function control(
  operator: Operator,
  stores: Stores,
  deployId: string,
  { action, work }: Control,
): Promise<Deploy> {
  const { appId } = await requireDeploy(stores, deployId);
  const { accountId } = await requireApp(stores, appId);
  const deploy = await work(stores, { accountId, appId, deployId });
  await recordAction(operator, stores, { action, accountId, subject: deployId, details: { app_id: appId } });
  return deploy;
}
