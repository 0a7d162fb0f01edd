import { Command, CommanderError } from 'commander';

import { ownVersion } from '#server/version.ts';
import { addAccountClosing } from './account/close.ts';
import { addAccountCreate } from './account/create.ts';
import { addAccountList } from './account/list.ts';
import { addAccountAiUsage } from './account/ai-usage.ts';
import { addAccountSetAiBudget } from './account/set-ai-budget.ts';
import { addAccountSetPlan } from './account/set-plan.ts';
import { addAccountSetQuota } from './account/set-quota.ts';
import { addAccountShow } from './account/show.ts';
import { addAccountUsage } from './account/usage.ts';
import { addAppCreate } from './app/create.ts';
import { addAppList } from './app/list.ts';
import { addAuditExport } from './audit/export.ts';
import { addAuditVerify } from './audit/verify.ts';
import { addBackup } from './backup/backup.ts';
import { addCompletion } from './completion/print.ts';
import { addConfigCheck } from './config/check.ts';
import { addDeploysControl } from './deploys/control.ts';
import { addDeploysList } from './deploys/list.ts';
import { addDeploysRun } from './deploys/run.ts';
import { addDeploysShow } from './deploys/show.ts';
import { addEdgeLogImport } from './edge-log/import.ts';
import { addJobsConfirmClock } from './jobs/confirm-clock.ts';
import { addInstallationShow } from './installation/show.ts';
import { addJobsList } from './jobs/list.ts';
import { addJobsRun } from './jobs/run.ts';
import { addKeyCreate } from './key/create.ts';
import { addKeyImportLegacy } from './key/import-legacy.ts';
import { addKeyList } from './key/list.ts';
import { addKeySetAiLimits } from './key/set-ai-limits.ts';
import { addKeyRevoke } from './key/revoke.ts';
import { addKeyEncryptionKeyRotate } from './key-encryption-key/rotate.ts';
import { addLegacyImport } from './legacy/import.ts';
import { addMasterKeyAccept } from './master-key/accept.ts';
import { addMasterKeyFinish } from './master-key/finish.ts';
import { addMasterKeyRotate } from './master-key/rotate.ts';
import { addMasterKeyStatus } from './master-key/status.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { addPurgesList } from './purges/list.ts';
import { addRestore } from './restore.ts';
import { addScrubStart } from './scrub/start.ts';
import { addStoreCheck } from './store/check.ts';
import { addOperatorKeyCreate } from './operator/create-key.ts';
import { addOperatorKeyList } from './operator/list-keys.ts';
import { addOperatorKeyRevoke } from './operator/revoke-key.ts';
import { addStoreMigrate } from './store/migrate.ts';
import { addStoreShrink } from './store/shrink.ts';
import { addUpkeepShow } from './upkeep/show.ts';
import { Operator, messageOf, type Environment, type Streams } from './operator.ts';

const about = `Commands for the operator of Cubby: npm run -s cubby -- <command>

They work while the server runs. Run them as the server's user and with its
environment (CUBBY_DATA_DIR, CUBBY_MASTER_KEY …). See docs/operating.md.`;

/**
 * Runs one command.
 *
 * @param args without the program's name
 * @returns the exit code: 0 for success, 1 when it failed, 2 for a wrong call
 */
export async function runCli(args: readonly string[], env: Environment, streams: Streams): Promise<number> {
  try {
    await program(new Operator(env, streams), streams).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message. Requested help has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    streams.err(`error: ${messageOf(error)}\n`);
    return 1;
  }
}

function program(operator: Operator, { out, err }: Streams): Command {
  const cubby = new Command('cubby')
    .description(about)
    .version(ownVersion(), '--version', 'print the version of Cubby')
    .option('--json', 'print one JSON value on stdout, and nothing else there')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows the usage)');

  const account = cubby.command('account').description('create and change accounts');
  addAccountCreate(account, operator);
  addAccountList(account, operator);
  addAccountShow(account, operator);
  addAccountSetPlan(account, operator);
  addAccountSetQuota(account, operator);
  addAccountSetAiBudget(account, operator);
  addAccountAiUsage(account, operator);
  addAccountClosing(account, operator);
  addAccountUsage(account, operator);

  const key = cubby.command('key').description('create and revoke API keys');
  addKeyCreate(key, operator);
  addKeyList(key, operator);
  addKeySetAiLimits(key, operator);
  addKeyRevoke(key, operator);
  addKeyImportLegacy(key, operator);

  const app = cubby.command('app').description('create applications, which group deploys and errors');
  addAppCreate(app, operator);
  addAppList(app, operator);

  const jobs = cubby.command('jobs').description('run background jobs');
  addJobsList(jobs, operator);
  addJobsRun(jobs, operator);
  addJobsConfirmClock(jobs, operator);

  addLegacyImport(cubby.command('legacy').description('import files of an earlier service'), operator);
  addEdgeLogImport(cubby.command('edge-log').description('import access logs of the edge'), operator);

  const deploys = cubby.command('deploys').description('run deploys of pushed commits, show and cancel them');
  addDeploysList(deploys, operator);
  addDeploysShow(deploys, operator);
  addDeploysRun(deploys, operator);
  addDeploysControl(deploys, operator);
  addInstallationShow(cubby.command('installation').description('the whole installation'), operator);
  const keys = cubby.command('operator').description("keys of the operator's door").command('key');
  keys.description("create and revoke keys of the operator's door");
  addOperatorKeyCreate(keys, operator);
  addOperatorKeyList(keys, operator);
  addOperatorKeyRevoke(keys, operator);
  const audit = cubby.command('audit').description('read and check the log of what operators and keys did');
  addAuditExport(audit, operator);
  addAuditVerify(audit, operator);

  const masterKey = cubby.command('master-key').description('the key that protects all secrets');
  addMasterKeyRotate(masterKey, operator);
  addMasterKeyStatus(masterKey, operator);
  addMasterKeyFinish(masterKey, operator);
  addMasterKeyAccept(masterKey, operator);
  const encryptionKey = cubby
    .command('key-encryption-key')
    .description('the key that the bytes of files are encrypted under');
  addKeyEncryptionKeyRotate(encryptionKey, operator);
  addConfigCheck(cubby.command('config').description('check the configuration'), operator);
  const store = cubby.command('store').description('check the store, and move it to another place');
  addStoreCheck(store, operator);
  addStoreMigrate(store, operator);
  addStoreShrink(store, operator);
  addBackup(cubby, operator);
  addUpkeepShow(cubby.command('upkeep').description('what keeps the installation safe over years'), operator);
  addScrubStart(cubby.command('scrub').description('the check of all files in the background'), operator);
  addPurgesList(cubby.command('purges').description('addresses that the CDN has yet to drop'), operator);
  addRestore(cubby, operator);
  addMigrate(cubby, operator);
  addListen(cubby, operator);
  addCompletion(cubby, operator);
  return cubby;
}
