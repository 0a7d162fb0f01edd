import { constants, createReadStream, type ReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Command } from 'commander';

import type { Stores } from '#server/stores/open.ts';
import type { Account } from '#server/domain/account/account.ts';
import { importLegacyFile } from '#server/domain/objects/import-legacy-file.ts';
import { noAccount } from '../account/view.ts';
import { parseAccountId } from '../arguments.ts';
import { columns } from '../columns.ts';
import { Failure, wordsFor, type Answer, type Operator } from '../operator.ts';
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
  /** There already, with the same bytes. */
  skipped: number;
  /** Imported before; their account has deleted, moved or hidden them since. */
  gone: number;
  /** Links, sockets and whatever else is no file. */
  readonly ignored: Named[];
  readonly failed: Named[];
}

/** Files at once: each waits for the disk most of its time, and small ones share their commits. */
const workers = 8;
const progressEveryMs = 500;

export function addLegacyImport(legacy: Command, operator: Operator): void {
  legacy
    .command('import')
    .description(
      'store the files of a folder as legacy files, under their paths from there; repeated, it takes only what is new, and leaves alone what the account has since deleted, moved or made private',
    )
    .requiredOption('--account <id>', 'whose files they become', parseAccountId)
    .option('--again', 'bring back, and make public, also files that were imported before and are gone')
    .argument('<folder>', 'links in it are named and left out')
    .action(async (folder: string, { account, again = false }: Options, command: Command) => {
      const summary = await importFolder(operator, account, folder, again);
      operator.print(answerOf(summary), command);
      if (summary.failed.length > 0)
        throw new Failure(
          `${summary.failed.length} of the files could not be imported. The same command again takes only what is missing.`,
        );
    });
}

function importFolder(operator: Operator, accountId: string, folder: string, again: boolean): Promise<Summary> {
  return operator.onStores(async (stores, { dataDir }) => {
    const account = await stores.metadata.read.accounts.find(accountId);
    if (!account) throw noAccount(accountId);
    await requireFolder(folder, dataDir);
    const summary: Summary = { imported: 0, skipped: 0, gone: 0, ignored: [], failed: [] };
    const found = walk(folder);
    const timer = setInterval(() => operator.progress(progressText(summary)), progressEveryMs);
    try {
      // They share one walk: each takes the next file when it is done with its last.
      await Promise.all(Array.from({ length: workers }, () => work({ stores, account, again }, found, summary)));
    } finally {
      clearInterval(timer);
      operator.progress('');
    }
    summary.failed.sort((a, b) => (a.key < b.key ? -1 : 1));
    return summary;
  });
}

/** The folder must be there, and apart from the data folder: legacy files are public, and the master key lies in that. */
async function requireFolder(folder: string, dataDir: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Failure(`There is no folder ${folder}.`);
  const [from, data] = [await realpath(folder), await realpath(dataDir)].map((path) =>
    path.endsWith(sep) ? path : path + sep,
  ) as [string, string];
  if (from.startsWith(data) || data.startsWith(from))
    throw new Failure(`${folder} and the data folder ${dataDir} lie in each other: its files would become public.`);
}

/** What holds for every file of the import. */
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
    // What was a file a moment ago may be a link by now. The types know only flags in letters.
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
    summary.failed.push({ key, reason: wordsFor(error) });
  } finally {
    // A file that is refused halfway is not read to its end.
    for (const stream of opened) stream.destroy();
  }
}

function progressText({ imported, skipped, gone, failed }: Summary): string {
  return `${imported} imported, ${skipped} there already, ${gone === 0 ? '' : `${gone} imported before and gone since, `}${failed.length} failed`;
}

function answerOf(summary: Summary): Answer {
  const named = (title: string, list: readonly Named[]) =>
    list.length === 0 ? '' : `\n\n${title}\n${columns(list.map(({ key, reason }) => [`  ${key}`, reason]))}`;
  return {
    json: summary,
    text: `${progressText(summary)}.${named('Left out:', summary.ignored)}${named('Failed:', summary.failed)}`,
  };
}
