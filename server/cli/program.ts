import { Command, CommanderError } from 'commander';

import { addAccountCreate } from './account/create.ts';
import { addAccountList } from './account/list.ts';
import { addAccountSetAiBudget } from './account/set-ai-budget.ts';
import { addAccountSetPlan } from './account/set-plan.ts';
import { addAccountSetQuota } from './account/set-quota.ts';
import { addAccountShow } from './account/show.ts';
import { addAppCreate } from './app/create.ts';
import { addAppList } from './app/list.ts';
import { addConfigCheck } from './config/check.ts';
import { addDeploysList } from './deploys/list.ts';
import { addDeploysRun } from './deploys/run.ts';
import { addDeploysShow } from './deploys/show.ts';
import { addEdgeLogImport } from './edge-log/import.ts';
import { addJobsConfirmClock } from './jobs/confirm-clock.ts';
import { addJobsRun } from './jobs/run.ts';
import { addKeyCreate } from './key/create.ts';
import { addKeyImportLegacy } from './key/import-legacy.ts';
import { addKeyList } from './key/list.ts';
import { addKeyRevoke } from './key/revoke.ts';
import { addLegacyImport } from './legacy/import.ts';
import { addMasterKeyAccept } from './master-key/accept.ts';
import { addMigrate } from './migrate.ts';
import { addNotYet } from './not-yet.ts';
import { Operator, wordsFor, type Environment, type Streams } from './operator.ts';

const about = `The operator's commands of Cubby: npm run -s cubby -- <command>

They work while the server runs. Run them as its user and with its environment
(CUBBY_DATA_DIR, CUBBY_MASTER_KEY …). docs/operating.md describes them.`;

/**
 * Runs one command. Answers the exit code: 0, 1 when it could not be done, 2 when it was not called rightly.
 *
 * @param args without the program's name
 */
export async function runCli(args: readonly string[], env: Environment, streams: Streams): Promise<number> {
  try {
    await program(new Operator(env, streams), streams).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has told of it: help that was asked for has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    streams.err(`error: ${wordsFor(error)}\n`);
    return 1;
  }
}

function program(operator: Operator, { out, err }: Streams): Command {
  const cubby = new Command('cubby')
    .description(about)
    .option('--json', 'print one JSON value on stdout, and nothing else there')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help says what it takes)');

  const account = cubby.command('account').description('make and change accounts');
  addAccountCreate(account, operator);
  addAccountList(account, operator);
  addAccountShow(account, operator);
  addAccountSetPlan(account, operator);
  addAccountSetQuota(account, operator);
  addAccountSetAiBudget(account, operator);

  const key = cubby.command('key').description('make and revoke API keys');
  addKeyCreate(key, operator);
  addKeyList(key, operator);
  addKeyRevoke(key, operator);
  addKeyImportLegacy(key, operator);

  const app = cubby.command('app').description('make applications, whose deploys and errors are told apart');
  addAppCreate(app, operator);
  addAppList(app, operator);

  const jobs = cubby.command('jobs').description('run background jobs');
  addJobsRun(jobs, operator);
  addJobsConfirmClock(jobs, operator);

  addLegacyImport(cubby.command('legacy').description('bring in files from before'), operator);
  addEdgeLogImport(cubby.command('edge-log').description('bring in access logs of the edge'), operator);

  const deploys = cubby.command('deploys').description('deploy what was pushed, and see what became of it');
  addDeploysList(deploys, operator);
  addDeploysShow(deploys, operator);
  addDeploysRun(deploys, operator);
  addMasterKeyAccept(cubby.command('master-key').description('the key on which all secrets hang'), operator);
  addConfigCheck(cubby.command('config').description('look at the configuration'), operator);
  addMigrate(cubby, operator);
  addNotYet(cubby);
  return cubby;
}
