import { InvalidArgumentError, type Command } from 'commander';

import { facts } from '../columns.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';
import { readDeployLog } from './deploy-log.ts';
import { deployJson } from './list.ts';

export function addDeploysShow(deploys: Command, operator: Operator): void {
  deploys
    .command('show')
    .description('show a deploy and its log')
    .argument('<id>', 'deploy id from "deploys list"', parseDeployId)
    .action(operator.answering((deployId: string) => show(operator, deployId)));
}

function show(operator: Operator, deployId: string): Promise<Answer> {
  return operator.onStores(async ({ metadata }, { dataDir }) => {
    const deploy = await metadata.read.deploys.find(deployId);
    if (!deploy)
      throw new Failure(`There is no deploy ${deployId}. "cubby deploys list --app ID" shows those of an application.`);
    const output = await readDeployLog(dataDir, deployId);
    const { state, appId, branch, commit, message, repository, tries } = deploy;
    const rows: Array<readonly [string, string]> = [
      ['state', state],
      ['application', appId],
      ['branch', branch],
      ['commit', commit],
      ['message', message ?? ''],
      ['repository', repository ?? ''],
      ['tries', String(tries)],
    ];
    return {
      json: { ...deployJson(deploy), log: output ?? null },
      text: `${facts(deployId, rows)}\n\n${output === undefined ? 'It has not started.' : forTerminal(output).trimEnd()}`,
    };
  });
}

/** Removes escape sequences and control characters, so that stored output cannot control the reader's terminal. */
function forTerminal(output: string): string {
  return output.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/[^\P{Cc}\n\t]/gu, '');
}

function parseDeployId(text: string): string {
  if (!/^dep_[a-z0-9]{16}$/.test(text))
    throw new InvalidArgumentError('A deploy id is "dep_" and 16 lowercase letters and digits.');
  return text;
}
