import type { Command } from 'commander';

import type { CheckReport } from '#server/domain/store-check/check-store.ts';
import type { StoreProblem } from '#server/domain/store-check/problem.ts';
import { configWithBackup } from '../backup/place.ts';
import { Failure, type Answer, type Operator } from '../operator.ts';
import { bytesText } from '../progress-line.ts';
import { recordAction } from '../record-action.ts';

interface Options {
  readonly repair?: boolean;
  readonly bytes?: boolean;
  readonly from?: string;
}

const about = `compare the store with itself, while servers run

Checks the database, the counters of quota and usage, and that rows and the
bytes of larger files belong together. With --bytes it reads all files and
compares their hashes. Exit code 0: nothing is wrong, or all was repaired.
1: problems are left.`;

export function addStoreCheck(store: Command, operator: Operator): void {
  store
    .command('check')
    .summary('compare the store with itself')
    .description(about)
    .option('--bytes', 'also read all files, which takes as long as the disk needs')
    .option('--repair', 'correct counters, and move bytes without a row away for 24 hours before they are removed')
    .option('--from <backup>', 'with --repair, bring damaged and lost files back. Default: CUBBY_BACKUP_TARGET')
    .action(async ({ repair = false, bytes = false, from }: Options, command: Command) => {
      if (from !== undefined && !repair) command.error('error: --from needs --repair');
      const report = await check(operator, { repair, bytes, from });
      operator.print(answerOf(report), command);
      const left = leftOf(report).length;
      if (left > 0)
        throw new Failure(
          left === 1 ? 'One problem is left.' : `${left} problems are left. See "Check" in docs/operating/check.md.`,
        );
    });
}

function check(
  operator: Operator,
  { repair, bytes, from }: { readonly repair: boolean; readonly bytes: boolean; readonly from: string | undefined },
): Promise<CheckReport> {
  const place = from === undefined ? operator.config().backup : configWithBackup(operator, from).place;
  return operator.onStores(async (stores, config) => {
    const { checkOpenStore } = await import('#server/stores/open-check.ts');
    const checked = { stores, config, place: repair ? place : undefined };
    const report = await operator.working(
      (run) => checkOpenStore(checked, { repairs: repair, readsBytes: bytes, ...run }),
      bytes ? bytesText : String,
    );
    if (repair) {
      const details = { repaired: report.problems.length - leftOf(report).length, left: leftOf(report).length };
      await recordAction(operator, stores, { action: 'store.repaired', details });
    }
    return report;
  });
}

function leftOf({ problems }: CheckReport): StoreProblem[] {
  return problems.filter(({ repair }) => repair === null);
}

/** People read this many problems, and scripts all. */
const mostShown = 50;

function answerOf(report: CheckReport): Answer {
  const { problems, checked } = report;
  const shown = problems
    .slice(0, mostShown)
    .map(({ detail, repair }) => `- ${detail}${repair === null ? '' : ` Repaired: ${repair}.`}`);
  if (problems.length > mostShown) shown.push(`… and ${problems.length - mostShown} more. --json lists all of them.`);
  const left = leftOf(report).length;
  const summary =
    problems.length === 0
      ? 'Nothing is wrong.'
      : `Found ${problems.length} problems, repaired ${problems.length - left}, left ${left}.`;
  const read = checked.contents > 0 ? `, read ${checked.contents} files of ${bytesText(checked.bytes)}` : '';
  const hidden = checked.encrypted > 0 ? ` (${checked.encrypted} of them encrypted)` : '';
  const text = [...shown, `${summary} Compared ${checked.blobs} larger files${hidden} with their rows${read}.`].join(
    '\n',
  );
  return { json: { problems, checked, repaired: problems.length - left, left }, text };
}
