import { constants, createReadStream, type ReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Command } from 'commander';

import type { Account } from '#server/domain/account/account.ts';
import { importLegacyFile } from '../../legacy/import-legacy-file.ts';
import { findAccount } from '#server/cli/account/view.ts';
import { parseAccountId } from '#server/cli/arguments.ts';
import { columns } from '#server/cli/columns.ts';
import { Failure, messageOf, type Answer, type Operator, type Stores } from '#server/cli/operator.ts';
import { recordAction } from '#server/cli/record-action.ts';
import { walk, type Found } from './walk.ts';

interface Options {
  readonly account: string;
  readonly again?: boolean;
}

interface Named {
  readonly key: string;
  readonly reason: string;
}

interface Summary {
  imported: number;
  /** Stored before with the same bytes. */
  skipped: number;
  /** Imported before, then deleted, moved or made private by the account. */
  gone: number;
  /** Links, sockets and other entries that are not regular files. */
  readonly ignored: Named[];
  readonly failed: Named[];
}

/** Files in progress. Each mostly waits for the disk, and small files share commits. */
const workers = 8;
const progressEveryMs = 500;

export function addLegacyImport(legacy: Command, operator: Operator): void {
  legacy
    .command('import')
    .description(
      'store the files of a folder as legacy files, under their relative paths; a repeated import adds only new ' +
        'files and skips those that the account has since deleted, moved or made private',
    )
    .requiredOption('--account <id>', 'account that gets the files', parseAccountId)
    .option('--again', 'also restore, as public, files that were imported before and are gone')
    .argument('<folder>', 'folder to import; links in it are listed and skipped')
    .action(async (folder: string, { account, again = false }: Options, command: Command) => {
      const summary = await importFolder(operator, account, folder, again);
      operator.print(answerOf(summary), command);
      if (summary.failed.length > 0)
        throw new Failure(
          `${summary.failed.length} of the files could not be imported. ` +
            'Run the same command again: it imports only what is missing.',
        );
    });
}

function importFolder(operator: Operator, accountId: string, folder: string, again: boolean): Promise<Summary> {
  return operator.onStores(async (stores, { dataDir }) => {
    const account = await findAccount(stores, accountId);
    await requireFolder(folder, dataDir);
    const summary: Summary = { imported: 0, skipped: 0, gone: 0, ignored: [], failed: [] };
    const found = walk(folder);
    const timer = setInterval(() => operator.progress(progressText(summary)), progressEveryMs);
    try {
      // All workers share one walk: each takes the next file when its last one is done.
      await Promise.all(Array.from({ length: workers }, () => work({ stores, account, again }, found, summary)));
    } finally {
      clearInterval(timer);
      operator.progress('');
    }
    const { imported, skipped, gone, failed } = summary;
    const details = { folder, again, imported, skipped, gone, failed: failed.length };
    await recordAction(operator, stores, { action: 'legacy.imported', accountId, subject: accountId, details });
    summary.failed.sort((a, b) => (a.key < b.key ? -1 : 1));
    return summary;
  });
}

/**
 * Checks that the folder exists and is apart from the data folder. Legacy files are public, and the data folder holds
 * the master key.
 */
async function requireFolder(folder: string, dataDir: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Failure(`There is no folder ${folder}. Give the path of a folder.`);
  const [from, data] = [await realpath(folder), await realpath(dataDir)].map((path) =>
    path.endsWith(sep) ? path : path + sep,
  ) as [string, string];
  if (from.startsWith(data) || data.startsWith(from))
    throw new Failure(
      `${folder} and the data folder ${dataDir} contain one another, so its files would become public. ` +
        'Import from a folder elsewhere.',
    );
}

/** The target and the options that all files of the import share. */
interface Into {
  readonly stores: Stores;
  readonly account: Account;
  readonly again: boolean;
}

async function work(into: Into, found: AsyncGenerator<Found>, summary: Summary): Promise<void> {
  for await (const one of found) {
    const { key } = one;
    if (one.kind === 'other') summary.ignored.push({ key, reason: one.reason });
    else if (one.kind === 'failed') summary.failed.push({ key, reason: one.reason });
    else await importFile(into, one, summary);
  }
}

async function importFile(
  { stores, account, again }: Into,
  { key, path, sizeBytes }: Extract<Found, { kind: 'file' }>,
  summary: Summary,
): Promise<void> {
  const opened: ReadStream[] = [];
  const open = () => {
    // The file may have been replaced by a link meanwhile. The types allow only string flags.
    const stream = createReadStream(path, { flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string });
    opened.push(stream);
    return stream;
  };
  try {
    const outcome = await importLegacyFile(stores, {
      account,
      key,
      sizeBytes,
      open,
      again,
      signal: new AbortController().signal,
    });
    if (outcome === 'imported') summary.imported++;
    else if (outcome === 'unchanged') summary.skipped++;
    else summary.gone++;
  } catch (error) {
    summary.failed.push({ key, reason: messageOf(error) });
  } finally {
    // A file that is rejected halfway is not read to its end.
    for (const stream of opened) stream.destroy();
  }
}

function progressText({ imported, skipped, gone, failed }: Summary): string {
  const goneText = gone === 0 ? '' : `${gone} imported before and gone since, `;
  return `${imported} imported, ${skipped} already there, ${goneText}${failed.length} failed`;
}

function answerOf(summary: Summary): Answer {
  const named = (title: string, list: readonly Named[]) =>
    list.length === 0 ? '' : `\n\n${title}\n${columns(list.map(({ key, reason }) => [`  ${key}`, reason]))}`;
  return {
    json: summary,
    text: `${progressText(summary)}.${named('Skipped:', summary.ignored)}${named('Failed:', summary.failed)}`,
  };
}
