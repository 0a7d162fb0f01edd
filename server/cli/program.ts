import { Command, CommanderError } from 'commander';

import { ownVersion } from '#server/version.ts';
import { addAccountClosing } from './account/close.ts';
import { addAccountCreate } from './account/create.ts';
import { addAccountList } from './account/list.ts';
import { addAccountAiUsage } from '#server/features/chat/commands/ai-usage.ts';
import { addAccountSetAiBudget } from '#server/features/chat/commands/set-ai-budget.ts';
import { addAccountSetPlan } from './account/set-plan.ts';
import { addAccountSetQuota } from './account/set-quota.ts';
import { addAccountShow } from './account/show.ts';
import { addAccountUsage } from './account/usage.ts';
import { addAppCreate } from '#server/features/apps/commands/create.ts';
import { addAppList } from '#server/features/apps/commands/list.ts';
import { addAuditExport } from './audit/export.ts';
import { addAuditVerify } from './audit/verify.ts';
import { addBackup } from './backup/backup.ts';
import { addCompletion } from './completion/print.ts';
import { addConfigCheck } from './config/check.ts';
import { addDeploysControl } from '#server/features/deploys/commands/control.ts';
import { addDeploysList } from '#server/features/deploys/commands/list.ts';
import { addDeploysRun } from '#server/features/deploys/commands/run.ts';
import { addDeploysShow } from '#server/features/deploys/commands/show.ts';
import { addEdgeLogImport } from '#server/features/edge-errors/commands/edge-log/import.ts';
import { addJobsConfirmClock } from './jobs/confirm-clock.ts';
import { addInstallationShow } from './installation/show.ts';
import { addJobsList } from './jobs/list.ts';
import { addJobsRun } from './jobs/run.ts';
import { addKeyCreate } from './key/create.ts';
import { addKeyImportLegacy } from './key/import-legacy.ts';
import { addKeyList } from './key/list.ts';
import { addKeySetAiLimits } from '#server/features/chat/commands/set-ai-limits.ts';
import { addKeyRevoke } from './key/revoke.ts';
import { addKeyEncryptionKeyRotate } from './key-encryption-key/rotate.ts';
import { addLegacyImport } from '#server/features/files/commands/legacy/import.ts';
import { addMasterKeyAccept } from './master-key/accept.ts';
import { addMasterKeyFinish } from './master-key/finish.ts';
import { addMasterKeyRotate } from './master-key/rotate.ts';
import { addMasterKeyStatus } from './master-key/status.ts';
import { addListen } from '#server/features/webhooks/commands/listen.ts';
import { addMigrate } from './migrate.ts';
import { addPurgesList } from '#server/features/files/commands/purges/list.ts';
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

type Add = (parent: Command, operator: Operator) => void;

/** The commands in the order of the help: groups with their name and description, and those without a group. */
const commands: ReadonlyArray<Add | readonly [name: string, description: string, ...adds: Add[]]> = [
  [
    'account',
    'create and change accounts',
    ...[addAccountCreate, addAccountList, addAccountShow, addAccountSetPlan, addAccountSetQuota],
    ...[addAccountSetAiBudget, addAccountAiUsage, addAccountClosing, addAccountUsage],
  ],
  [
    'key',
    'create and revoke API keys',
    ...[addKeyCreate, addKeyList, addKeySetAiLimits, addKeyRevoke, addKeyImportLegacy],
  ],
  ['app', 'create applications, which group deploys and errors', addAppCreate, addAppList],
  ['jobs', 'run background jobs', addJobsList, addJobsRun, addJobsConfirmClock],
  ['legacy', 'import files of an earlier service', addLegacyImport],
  ['edge-log', 'import access logs of the edge', addEdgeLogImport],
  [
    'deploys',
    'run deploys of pushed commits, show and cancel them',
    ...[addDeploysList, addDeploysShow, addDeploysRun, addDeploysControl],
  ],
  ['installation', 'the whole installation', addInstallationShow],
  ['operator', "keys of the operator's door", addOperatorKeys],
  ['audit', 'read and check the log of what operators and keys did', addAuditExport, addAuditVerify],
  [
    'master-key',
    'the key that protects all secrets',
    ...[addMasterKeyRotate, addMasterKeyStatus, addMasterKeyFinish, addMasterKeyAccept],
  ],
  ['key-encryption-key', 'the key that the bytes of files are encrypted under', addKeyEncryptionKeyRotate],
  ['config', 'check the configuration', addConfigCheck],
  ['store', 'check the store, and move it to another place', addStoreCheck, addStoreMigrate, addStoreShrink],
  addBackup,
  ['upkeep', 'what keeps the installation safe over years', addUpkeepShow],
  ['scrub', 'the check of all files in the background', addScrubStart],
  ['purges', 'addresses that the CDN has yet to drop', addPurgesList],
  addRestore,
  addMigrate,
  addListen,
  addCompletion,
];

function addOperatorKeys(parent: Command, operator: Operator): void {
  const keys = parent.command('key').description("create and revoke keys of the operator's door");
  for (const add of [addOperatorKeyCreate, addOperatorKeyList, addOperatorKeyRevoke]) add(keys, operator);
}

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

  for (const command of commands) {
    if (typeof command === 'function') {
      command(cubby, operator);
      continue;
    }
    const [name, description, ...adds] = command;
    const group = cubby.command(name).description(description);
    for (const add of adds) add(group, operator);
  }
  return cubby;
}
