import type { Command } from 'commander';

import type { Deploy } from '../deploy.ts';
import { parseAppId } from '#server/features/apps/commands/parse-app-id.ts';
import { requireApp } from '#server/features/apps/commands/require-app.ts';
import { columns, instant } from '#server/cli/columns.ts';
import type { Answer, Operator, Stores } from '#server/cli/operator.ts';

/** The number of deploys shown, newest first. */
const shown = 50;

export function addDeploysList(deploys: Command, operator: Operator): void {
  const command = deploys
    .command('list')
    .description(`list the last ${shown} deploys of an application`)
    .requiredOption('--app <id>', 'application of the deploys', parseAppId);
  operator.list(command, list);
}

async function list(stores: Stores, { app: appId }: { readonly app: string }): Promise<Answer> {
  await requireApp(stores, appId);
  const found = await stores.metadata.read.deploys.listOf({ appId, limit: shown });
  const rows = found.map(({ id, state, branch, commit, createdAt, message }) => [
    id,
    state,
    branch,
    commit.slice(0, 7),
    instant(createdAt),
    message ?? '',
  ]);
  return {
    json: found.map(deployJson),
    text: columns([['DEPLOY', 'STATE', 'BRANCH', 'COMMIT', 'PUSHED', 'MESSAGE'], ...rows]),
  };
}

/** Returns a deploy for `--json`. */
export function deployJson(deploy: Deploy) {
  const { id, appId, state, branch, commit, message, repository, createdAt, updatedAt, tries } = deploy;
  return {
    id,
    app_id: appId,
    state,
    branch,
    commit,
    message,
    repository,
    created_at: instant(createdAt),
    updated_at: instant(updatedAt),
    tries,
  };
}
