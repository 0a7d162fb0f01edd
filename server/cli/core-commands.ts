import { addBackup } from './backup/backup.ts';
import { addCompletion } from './completion/print.ts';
import type { AddCommand, LoadCommands } from './feature-commands.ts';
import { addMigrate } from './migrate.ts';
import { addRestore } from './restore.ts';

type Group = readonly [name: string, description: string, load: LoadCommands];

/** The core's commands in the order of the help: groups with their name and description, and those without a group. */
export const coreCommands: ReadonlyArray<AddCommand | Group> = [
  ['account', 'create and change accounts', () => import('./account/commands.ts')],
  ['key', 'create and revoke API keys', () => import('./key/commands.ts')],
  ['jobs', 'run background jobs', () => import('./jobs/commands.ts')],
  ['installation', 'the whole installation', () => import('./installation/commands.ts')],
  ['replicas', 'the servers of the installation', () => import('./replicas/commands.ts')],
  ['operator', "keys of the operator's door", () => import('./operator/commands.ts')],
  ['audit', 'read and check the log of what operators and keys did', () => import('./audit/commands.ts')],
  ['master-key', 'the key that protects all secrets', () => import('./master-key/commands.ts')],
  [
    'key-encryption-key',
    'the key that the bytes of files are encrypted under',
    () => import('./key-encryption-key/commands.ts'),
  ],
  ['config', 'check the configuration', () => import('./config/commands.ts')],
  ['store', 'check the store, and move it to another place', () => import('./store/commands.ts')],
  addBackup,
  ['upkeep', 'what keeps the installation safe over years', () => import('./upkeep/commands.ts')],
  ['scrub', 'the check of all files in the background', () => import('./scrub/commands.ts')],
  addRestore,
  addMigrate,
  addCompletion,
];
