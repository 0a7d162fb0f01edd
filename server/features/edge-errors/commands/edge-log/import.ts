import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';

import { requireApp } from '#server/features/apps/commands/require-app.ts';
import { parseAppId } from '#server/features/apps/commands/parse-app-id.ts';
import { oneOf } from '#server/cli/arguments.ts';
import { columns } from '#server/cli/columns.ts';
import { Failure, type Answer, type Operator } from '#server/cli/operator.ts';
import { recordAction } from '#server/cli/record-action.ts';
import { untilStopped } from '#server/cli/until-stopped.ts';
import { emptySummary, type FileSummary } from './file-summary.ts';
import { followLog } from './follow-log.ts';
import { logFormats, type LogFormat } from './log-formats.ts';
import { readLogs, type FailedFile } from './read-logs.ts';

interface Options {
  readonly app: string;
  readonly format?: LogFormat;
  readonly follow?: boolean;
}

interface Outcome {
  readonly files: readonly FileSummary[];
  readonly failed: readonly FailedFile[];
}

const progressEveryMs = 500;

const about = `count the errors (4xx and 5xx) in access logs for an application; a server may be running

Each file is read from where the last import ended, so that nothing is counted twice. A log is recognised after it was
renamed, copied or compressed with gzip. Lines are JSON objects of nginx, Caddy or Traefik. docs/edge-errors.md shows
how to configure them.`;

export function addEdgeLogImport(edgeLog: Command, operator: Operator): void {
  edgeLog
    .command('import')
    .description(about)
    .requiredOption('--app <id>', 'application of the errors', parseAppId)
    .option(
      '--format <format>',
      `${logFormats.join(', ')}; detected for each line by default`,
      oneOf(logFormats, 'format'),
    )
    .option('--follow', 'follow the files as they grow and rotate, until SIGINT or SIGTERM')
    .argument('<files...>', 'access logs; gzip is allowed')
    .action(async (paths: readonly string[], options: Options, command: Command) => {
      const outcome = await importLogs(operator, [...new Set(paths.map((path) => resolve(path)))], options);
      operator.print(answerOf(outcome), command);
      refuseFailed(outcome);
    });
}

function importLogs(
  operator: Operator,
  paths: readonly string[],
  { app: appId, format, follow = false }: Options,
): Promise<Outcome> {
  // Reading lines allocates mostly short-lived garbage. A smaller young generation halves the process's memory.
  setFlagsFromString('--semi-space-growth-factor=1');
  return operator.onStores(async (stores) => {
    const { accountId } = await requireApp(stores, appId);
    const details = { files: paths, follow };
    await recordAction(operator, stores, { action: 'edge_log.import_started', accountId, subject: appId, details });
    const files: FileSummary[] = [];
    const timer = setInterval(() => operator.progress(`${totalsText(files)} …`), progressEveryMs);
    try {
      const deps = { metadata: stores.metadata, appId, format };
      const openInodes = new Set<string>();
      if (!follow) return { files, failed: await readLogs(deps, paths, (summary) => files.push(summary)) };
      await allUntilStopped((signal) =>
        paths.map((path) => {
          const summary = emptySummary(path);
          files.push(summary);
          return followLog({ ...deps, path, paths, openInodes, signal, summary });
        }),
      );
      return { files, failed: [] };
    } finally {
      clearInterval(timer);
      operator.progress('');
    }
  });
}

/** Runs until the operator stops it or one part fails. Then all parts store their counts. */
async function allUntilStopped(work: (signal: AbortSignal) => ReadonlyArray<Promise<unknown>>): Promise<void> {
  await untilStopped((stopping) => {
    const parts = work(stopping.signal);
    return Promise.all(parts).finally(async () => {
      stopping.abort();
      await Promise.allSettled(parts);
    });
  });
}

function answerOf({ files, failed }: Outcome): Answer {
  const bad = files.flatMap(({ file, first_bad: first }) =>
    first.map(({ line, reason }) => [`  ${file}`, `line ${line}`, reason]),
  );
  const unread = failed.map(({ file, reason }) => [`  ${file}`, reason]);
  const section = (title: string, rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? '' : `\n\n${title}\n${columns(rows)}`;
  return {
    json: { ...totalsOf(files), files, failed },
    text: `${totalsText(files)}.${section('First lines that were not understood:', bad)}${section('Failed:', unread)}`,
  };
}

function totalsOf(files: readonly FileSummary[]): Pick<FileSummary, 'lines' | 'errors' | 'bad'> {
  const sum = (field: 'lines' | 'errors' | 'bad') => files.reduce((total, file) => total + file[field], 0);
  return { lines: sum('lines'), errors: sum('errors'), bad: sum('bad') };
}

function totalsText(files: readonly FileSummary[]): string {
  const { lines, errors, bad } = totalsOf(files);
  return `${lines} lines read, ${errors} errors counted${bad === 0 ? '' : `, ${bad} lines not understood`}`;
}

/** Throws when files could not be read, or when no line of a file is a request. A few odd lines are no failure. */
function refuseFailed({ files, failed }: Outcome): void {
  if (failed.length > 0)
    throw new Failure(
      `${failed.length} of the files could not be read to the end. ` +
        'Run the same command again: it counts only what is missing.',
    );
  const strange = files.find(({ lines, bad }) => lines > 0 && bad === lines);
  if (strange)
    throw new Failure(`No line of ${strange.file} is a request of a supported access log. "--help" lists the formats.`);
}
