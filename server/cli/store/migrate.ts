import type { Command } from 'commander';

import { parseConfig } from '#server/config/config.ts';
import type { MoveReport, MoveStep } from '#server/stores/open-move.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';
import { runShell } from '../run-shell.ts';
import { environmentsOf } from './move-environment.ts';
import { progressLine } from '../progress-line.ts';

interface Options {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly then?: string;
  readonly keepDamaged?: boolean;
  readonly cancel?: boolean;
}

const about = `move the rows, the larger files or both to another store, while servers run

It copies, catches up with what changed, compares all rows, and switches: for a
few seconds, and at most 8, servers refuse writes. If it is stopped or killed,
the same call goes on. Addresses:
  sqlite:         the database in the data folder
  postgres://…    a PostgreSQL database, as in CUBBY_DATABASE_URL
  files:          the larger files in the data folder
  s3://…          a bucket, as in CUBBY_BLOBS_URL
  file:FOLDER     another data folder, with both
Afterwards servers have to be started with the new settings, which --then can
do: the old store takes no writes any more. See docs/scaling.md.`;

export function addStoreMigrate(store: Command, operator: Operator): void {
  store
    .command('migrate')
    .description(about)
    .option('--from <url>', 'where the store is; default: as the environment says (repeatable)', collect, [])
    .option('--to <url>', 'where it goes (repeatable). What is not named stays', collect, [])
    .option('--then <command>', 'a shell command that restarts the servers with their new settings')
    .option('--keep-damaged', 'move files whose bytes are damaged or missing as they are')
    .option('--cancel', 'end a move that has not switched. What was copied stays in the target')
    .action(
      operator.action((options: Options) => (options.cancel ? cancel(operator, options) : migrate(operator, options))),
    );
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function cancel(operator: Operator, { from }: Options): Promise<Answer> {
  const { cancelMove } = await import('#server/stores/open-move.ts');
  const config = parseConfig(environmentsOf(operator.env, { from, to: [] }).from);
  const to = await cancelMove(config, await operator.log(config), { by: operator.actor });
  if (!to) return { json: { cancelled: null }, text: 'There is no move to end.' };
  return { json: { cancelled: to }, text: 'The move has ended. The store stays where it is.' };
}

async function migrate(operator: Operator, { from, to, then, keepDamaged = false }: Options): Promise<Answer> {
  if (to.length === 0) throw new Failure('Say with --to where the store goes. --help shows the forms of addresses.');
  const environments = environmentsOf(operator.env, { from, to });
  const configs = { from: parseConfig(environments.from), to: parseConfig(environments.to) };
  const { migrateStore } = await import('#server/stores/open-move.ts');
  const log = await operator.log(configs.from);
  const startedAt = performance.now();
  const onStep = (step: MoveStep) => operator.progress(stepLine(step, performance.now() - startedAt));
  const report = await operator.working(({ signal }) =>
    migrateStore({ ...configs, keepsDamaged: keepDamaged, by: operator.actor, signal, onStep }, log),
  );
  const readyMs = then === undefined || report.wasDone ? null : await restart(then);
  return { json: jsonOf(report, readyMs), text: textOf(report, readyMs) };
}

function stepLine({ doing, table, done, total }: MoveStep, elapsedMs: number): string {
  const step = { doing: table === undefined ? doing : `${doing} ${table}`, done, total };
  return progressLine(step, elapsedMs, (count) => `${count} rows`);
}

/** Runs the operator's command. Resolves with how long it took. */
async function restart(command: string): Promise<number> {
  const startedAt = performance.now();
  const code = await runShell(command);
  if (code !== 0)
    throw new Failure(
      `The store has moved, but the command of --then ended with code ${code}. Start the servers with their new ` +
        'settings now: until then nothing is written.',
    );
  return Math.round(performance.now() - startedAt);
}

function jsonOf({ to, tables, blobs, damaged, ...report }: MoveReport, readyMs: number | null): unknown {
  return {
    to,
    tables,
    blobs,
    changes: report.changes,
    verified_rows: report.verifiedRows,
    repaired_rows: report.repairedRows,
    damaged_blobs: damaged,
    refused_ms: report.refusedMs,
    restart_ms: readyMs,
    was_done: report.wasDone,
  };
}

function textOf(
  { to, tables, blobs, changes, verifiedRows, refusedMs, wasDone }: MoveReport,
  readyMs: number | null,
): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  const places = [to.rows !== null && `  rows: ${to.rows}`, to.blobs !== null && `  larger files: ${to.blobs}`];
  const lines = [
    wasDone ? 'The store had moved already:' : 'The store has moved:',
    ...places.filter((place) => place !== false),
    `Copied ${rows} rows and ${blobs.count} blobs of ${blobs.bytes} bytes, then ${changes} changes. Compared ` +
      `${verifiedRows} rows.`,
    `Writes were refused for ${(refusedMs / 1000).toFixed(1)} ` +
      `s${readyMs === null ? '' : `, and for ${(readyMs / 1000).toFixed(1)} s more while the command of --then ran`}.`,
  ];
  if (readyMs === null) lines.push('Start the servers with their new settings now: until then nothing is written.');
  return lines.join('\n');
}
