import type { Command } from 'commander';

import type { Deploy } from '../deploy.ts';
import { textThat } from '#server/cli/arguments.ts';
import { facts } from '#server/cli/columns.ts';
import { Failure, type Answer, type Operator, type Stores } from '#server/cli/operator.ts';
import { readDeployLog } from './deploy-log.ts';
import { deployJson } from './list.ts';

export const parseDeployId = textThat(
  (text) => /^dep_[a-z0-9]{16}$/.test(text),
  'A deploy id is "dep_" and 16 lowercase letters and digits.',
);

export function addDeploysShow(deploys: Command, operator: Operator): void {
  deploys
    .command('show')
    .description('show a deploy and its log')
    .argument('<id>', 'deploy id from "deploys list"', parseDeployId)
    .action(operator.action((deployId: string) => show(operator, deployId)));
}

/** @throws {Failure} if there is no such deploy */
export async function requireDeploy({ metadata }: Pick<Stores, 'metadata'>, deployId: string): Promise<Deploy> {
  const deploy = await metadata.read.deploys.find(deployId);
  if (deploy) return deploy;
  throw new Failure(`There is no deploy ${deployId}. "cubby deploys list --app ID" shows those of an application.`);
}

function show(operator: Operator, deployId: string): Promise<Answer> {
  return operator.onStores(async (stores, { dataDir }) => {
    const deploy = await requireDeploy(stores, deployId);
    const output = await readDeployLog(dataDir, deployId);
    const { state, appId, branch, commit, message, repository, tries } = deploy;
    const shown = output === undefined ? 'It has not started.' : forTerminal(output).trimEnd();
    const rows = [
      ['state', state],
      ['application', appId],
      ['branch', branch],
      ['commit', commit],
      ['message', message ?? ''],
      ['repository', repository ?? ''],
      ['tries', String(tries)],
    ] as const;
    return {
      json: { ...deployJson(deploy), log: output ?? null },
      text: `${facts(deployId, rows)}\n\n${shown}`,
    };
  });
}

/** Removes escape sequences and control characters, so that stored output cannot control the reader's terminal. */
function forTerminal(output: string): string {
  return output.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/[^\P{Cc}\n\t]/gu, '');
}
