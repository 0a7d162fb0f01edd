import type { Command } from 'commander';

import { addAccountChanges } from './account/change.ts';
import { addAccountCreate } from './account/create.ts';
import { addAccountList } from './account/list.ts';
import { addAccountShow } from './account/show.ts';
import { addAccountUsage } from './account/usage.ts';
import { addAuditExport } from './audit/export.ts';
import { addAuditVerify } from './audit/verify.ts';
import { addBackup } from './backup/backup.ts';
import { addCompletion } from './completion/print.ts';
import { addConfigCheck } from './config/check.ts';
import { addJobsConfirmClock } from './jobs/confirm-clock.ts';
import { addInstallationShow } from './installation/show.ts';
import { addJobsList } from './jobs/list.ts';
import { addJobsRun } from './jobs/run.ts';
import { addKeyCreate } from './key/create.ts';
import { addKeyImportLegacy } from './key/import-legacy.ts';
import { addKeyList } from './key/list.ts';
import { addKeyRevoke } from './key/revoke.ts';
import { addKeyEncryptionKeyRotate } from './key-encryption-key/rotate.ts';
import { addMasterKeyAccept } from './master-key/accept.ts';
import { addMasterKeyFinish } from './master-key/finish.ts';
import { addMasterKeyRotate } from './master-key/rotate.ts';
import { addMasterKeyStatus } from './master-key/status.ts';
import { addMigrate } from './migrate.ts';
import { addRestore } from './restore.ts';
import { addScrubStart } from './scrub/start.ts';
import { addStoreCheck } from './store/check.ts';
import { addOperatorKeyCreate } from './operator/create-key.ts';
import { addOperatorKeyList } from './operator/list-keys.ts';
import { addOperatorKeyRevoke } from './operator/revoke-key.ts';
import { addReplicasList } from './replicas/list.ts';
import { addStoreMigrate } from './store/migrate.ts';
import { addStoreShrink } from './store/shrink.ts';
import { addUpkeepShow } from './upkeep/show.ts';
import type { AddCommand } from './feature-commands.ts';
import type { Operator } from './operator.ts';

type Group = readonly [name: string, description: string, ...adds: AddCommand[]];

/** The core's commands in the order of the help: groups with their name and description, and those without a group. */
export const coreCommands: ReadonlyArray<AddCommand | Group> = [
  [
    'account',
    'create and change accounts',
    ...[addAccountCreate, addAccountList, addAccountShow, addAccountChanges, addAccountUsage],
  ],
  ['key', 'create and revoke API keys', ...[addKeyCreate, addKeyList, addKeyRevoke, addKeyImportLegacy]],
  ['jobs', 'run background jobs', addJobsList, addJobsRun, addJobsConfirmClock],
  ['installation', 'the whole installation', addInstallationShow],
  ['replicas', 'the servers of the installation', addReplicasList],
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
  addRestore,
  addMigrate,
  addCompletion,
];

function addOperatorKeys(parent: Command, operator: Operator): void {
  const keys = parent.command('key').description("create and revoke keys of the operator's door");
  for (const add of [addOperatorKeyCreate, addOperatorKeyList, addOperatorKeyRevoke]) add(keys, operator);
}
