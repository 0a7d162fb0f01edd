import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';

import { shownBackupPlace, type BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import { standardKeep } from '#server/domain/backup/generation.ts';
import { damagedMessage } from '#server/domain/backup/note-run.ts';
import { followBackup } from '#server/domain/backup/follow-backup.ts';
import type { BackupCommand, BackupReport, BackupSession } from '#server/stores/open-backup.ts';
import { Failure, messageOf, type Answer, type Operator, type Stores } from '../operator.ts';
import { bytesText } from '../progress-line.ts';
import { runShell } from '../run-shell.ts';
import { listBackup } from './list.ts';
import { configWithBackup, placeForms } from './place.ts';
import { backupJson, backupText } from './report-text.ts';

interface Options {
  readonly follow?: boolean;
  readonly keep: number;
  readonly list?: boolean;
  readonly new?: boolean;
  readonly withMasterKey?: boolean;
  readonly dump?: string;
}

const about = `copy the database and all files to another place, while the server runs

The first call copies everything, each later one only what is new. If it is
stopped or killed, the same call goes on. Each call adds a generation, from
which "cubby restore" makes the installation of that moment again.
${placeForms}
Default: CUBBY_BACKUP_TARGET. Deleted files keep their bytes until it ends.
Rows in PostgreSQL are copied by its own tools: see --dump.`;

export function addBackup(cubby: Command, operator: Operator): void {
  cubby
    .command('backup')
    .summary('copy the database and all files to another place')
    .description(about)
    .argument('[target]', 'the folder or the bucket')
    .option('--follow', 'go on until it is stopped, and keep the target at most a minute behind')
    .option(
      '--keep <n>',
      'keep the n newest generations, and the last one of each of the n newest days',
      parseKeep,
      standardKeep,
    )
    .option('--list', 'show the generations of the target, and copy nothing')
    .option('--with-master-key', 'put the master key into the backup, which then needs protection like the key')
    .option('--new', 'begin an empty target anew, although this installation was backed up there before')
    .option('--dump <command>', 'with PostgreSQL: a shell command such as pg_dump, run while no files are removed')
    .action(async (target: string | undefined, options: Options, command: Command) => {
      if (options.list && options.follow) command.error('error: --list and --follow exclude each other');
      const { config, place } = configWithBackup(operator, target);
      if (options.list) return operator.print(await listBackup(operator, place), command);
      const { answer, damaged } = await backUp(operator, config, place, options);
      operator.print(answer, command);
      if (damaged > 0) throw new Failure(damagedMessage(damaged));
    });
}

function parseKeep(text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A number of generations is a whole number from 1 to 9999.');
}

/** Runs the operator's command that copies the database. */
async function runDump(command: string): Promise<void> {
  const code = await runShell(command);
  if (code !== 0)
    throw new Failure(`The command of --dump ended with code ${code}. There is no new generation without it.`);
}

interface Done {
  readonly answer: Answer;
  readonly damaged: number;
}

function backUp(operator: Operator, config: Config, place: BackupPlace, options: Options): Promise<Done> {
  const { keep, dump, follow = false, withMasterKey = false, new: isNew = false } = options;
  if (dump !== undefined && !config.databaseUrl)
    throw new Failure('--dump is for PostgreSQL. The rows are in SQLite, which this command copies itself.');
  return operator.onStores((stores) =>
    operator.working((run) => {
      const command: BackupCommand = {
        ...{ config, stores, place, keep, isNew, withMasterKey, ...run },
        dump: dump === undefined ? undefined : () => runDump(dump),
        by: operator.actor,
      };
      return follow ? followed(operator, stores, command) : once(command);
    }),
  );
}

async function sessionOf(command: BackupCommand): Promise<BackupSession> {
  const { openBackupSession } = await import('#server/stores/open-backup.ts');
  return openBackupSession(command);
}

async function once(command: BackupCommand): Promise<Done> {
  const session = await sessionOf(command);
  try {
    const report = await session.take();
    return done(report, command, await session.hasMasterKey());
  } finally {
    await session.close();
  }
}

/** Tells each generation on one line, because nobody waits for the end. */
async function followed(operator: Operator, { databaseCopies: copies }: Stores, command: BackupCommand): Promise<Done> {
  const { signal } = command;
  let last: BackupReport | undefined;
  let [hasMasterKey, isBegun] = [false, false];
  await followBackup({
    copies,
    async open() {
      const session = await sessionOf(isBegun ? { ...command, by: undefined } : command);
      isBegun = true;
      hasMasterKey = await session.hasMasterKey();
      return session;
    },
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => {}),
    nowMs: () => performance.now(),
    signal,
    onGeneration(report) {
      last = report;
      const { generation, sent } = report;
      operator.tell(
        `${generation}: sent ${sent.count} files of ${bytesText(sent.bytes)}, and ` +
          `${bytesText(sent.databaseBytes)} of the database`,
      );
    },
    onFailure: (error) => operator.tell(`The backup failed, and is tried again: ${messageOf(error)}`),
  });
  if (last) return done(last, command, hasMasterKey);
  return {
    answer: { json: { target: shownBackupPlace(command.place), generation: null }, text: 'Stopped.' },
    damaged: 0,
  };
}

function done(report: BackupReport, { place, stores }: BackupCommand, hasMasterKey: boolean): Done {
  const target = shownBackupPlace(place);
  const keys = { hasMasterKey, isEncrypted: stores.encryption.key !== undefined };
  return {
    answer: { json: backupJson(report, target, hasMasterKey), text: backupText(report, target, keys) },
    damaged: report.damaged.length,
  };
}
