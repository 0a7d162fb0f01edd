import type { Command } from 'commander';

import type { RestoreReport } from '#server/stores/open-restore.ts';
import { configWithBackup, placeForms } from './backup/place.ts';
import { Failure, type Answer, type Operator } from './operator.ts';
import { bytesText } from './progress-line.ts';

interface Options {
  readonly generation?: string;
}

const about = `make an installation again from a backup

The data folder (CUBBY_DATA_DIR) has to be empty; master.key may be in it. Every
byte is compared with the hash of the backup. If it is stopped or killed, the
same call goes on, and until it has ended no server starts over the folder.
${placeForms}
Rows in PostgreSQL are restored by its own tools, before: see "Restore" in
docs/operating/backup.md.`;

export function addRestore(cubby: Command, operator: Operator): void {
  cubby
    .command('restore')
    .summary('make an installation again from a backup')
    .description(about)
    .argument('[source]', 'the folder or the bucket. Default: CUBBY_BACKUP_TARGET')
    .option('--generation <name>', 'as "cubby backup --list" shows it. Default: the newest')
    .action(async (source: string | undefined, { generation }: Options, command: Command) => {
      const { config, place } = configWithBackup(operator, source);
      const { restore } = await import('#server/stores/open-restore.ts');
      const log = await operator.log(config);
      const report = await operator.working((run) =>
        restore({ config, place, generation, by: operator.actor, ...run }, log),
      );
      operator.print(answerOf(report, config.dataDir), command);
      if (report.missing.length > 0)
        throw new Failure(
          `The backup lacks ${report.missing.length} files, so they are missing in the store. ` +
            '"cubby store check" names them.',
        );
    });
}

function answerOf({ generation, takenAt, blobs, kept, missing, masterKey }: RestoreReport, dataDir: string): Answer {
  const keyText = {
    restored: 'The master key came with the backup.',
    kept: 'The master key is the one that was there: in the data folder, or in CUBBY_MASTER_KEY.',
    missing:
      'The master key is not in the backup. Before the first start, put the key of that time into ' +
      `${dataDir}/master.key (mode 0600), or set CUBBY_MASTER_KEY.`,
  }[masterKey];
  const lines = [
    `Restored the generation ${generation}, the state of ${takenAt}.`,
    `Files: ${blobs.count} of ${bytesText(blobs.bytes)}, of which ${kept} were there already.`,
    keyText,
  ];
  if (missing.length > 0) lines.push(`Missing: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' …' : ''}`);
  const json = {
    generation,
    taken_at: takenAt,
    blobs,
    kept_blobs: kept,
    missing_blobs: missing,
    master_key: masterKey,
  };
  return { json, text: lines.join('\n') };
}
