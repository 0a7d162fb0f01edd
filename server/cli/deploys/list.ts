import type { Command } from 'commander';

import type { Deploy } from '#server/domain/deploys/deploy.ts';
import { parseAppId } from '../arguments.ts';
import { columns } from '../columns.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';

/** The number of deploys shown, newest first. */
const shown = 50;

export function addDeploysList(deploys: Command, operator: Operator): void {
  deploys
    .command('list')
    .description(`list the last ${shown} deploys of an application`)
    .requiredOption('--app <id>', 'application of the deploys', parseAppId)
    .action(operator.answering((options: { readonly app: string }) => list(operator, options.app)));
}

function list(operator: Operator, appId: string): Promise<Answer> {
  return operator.onStores(async ({ metadata }) => {
    if (!(await metadata.read.apps.find(appId)))
      throw new Failure(`There is no application ${appId}. "cubby app list --account ID" shows those of an account.`);
    const found = await metadata.read.deploys.listOf({ appId, limit: shown });
    const rows = found.map(({ id, state, branch, commit, createdAt, message }) => [
      id,
      state,
      branch,
      commit.slice(0, 7),
      new Date(createdAt).toISOString(),
      message ?? '',
    ]);
    return {
      json: found.map(deployJson),
      text: columns([['DEPLOY', 'STATE', 'BRANCH', 'COMMIT', 'PUSHED', 'MESSAGE'], ...rows]),
    };
  });
}

/** Returns a deploy for `--json`. */
export function deployJson({
  id,
  appId,
  state,
  branch,
  commit,
  message,
  repository,
  createdAt,
  updatedAt,
  tries,
}: Deploy) {
  return {
    id,
    app_id: appId,
    state,
    branch,
    commit,
    message,
    repository,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    tries,
  };
}
