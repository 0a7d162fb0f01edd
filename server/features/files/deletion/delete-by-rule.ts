import { dayMs } from '#server/domain/day.ts';
import { ruleActor } from '#server/domain/activity/activity.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { deletes, deletesUntil, ruleFor, type Rule } from '#server/features/rules/rule.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { sweep } from '#server/domain/sweep.ts';
import { removeDue } from './delete-objects.ts';
import type { StoredObject } from '../object.ts';
import type { FileTables, WrittenObject } from '../table.ts';

interface Deps {
  readonly metadata: Metadata<FileTables>;
}

/** Files that are read in one step. */
const stepSize = 500;

/**
 * Deletes the files that are old enough at `now` for the rule of their prefix, wherever they lie and however they were
 * written. If several rules match a file, the one with the longest prefix applies, even if it deletes later or not at
 * all. Returns the number of deleted files. Two runs may overlap.
 *
 * A run reads only the files that became old enough since the last run.
 */
export async function deleteByRule({ metadata }: Deps, now: number): Promise<number> {
  let deleted = 0;
  for (const accountId of await metadata.read.rules.accountsThatDelete()) {
    const rules = await metadata.read.rules.listOf(accountId);
    for (const rule of rules) {
      const until = deletesUntil(rule, now);
      if (until !== undefined)
        deleted += await sweepRule(metadata, { accountId, rules, prefix: rule.prefix, until, now });
    }
  }
  return deleted;
}

interface RuleSweep {
  readonly accountId: string;
  readonly rules: readonly Rule[];
  readonly prefix: string;
  /** The rule deletes what was written at this instant or before. */
  readonly until: number;
  readonly now: number;
}

async function sweepRule(
  metadata: Deps['metadata'],
  { accountId, rules, prefix, until, now }: RuleSweep,
): Promise<number> {
  const after = stillSeen(await metadata.read.rules.sweptUntil(accountId, prefix), until);
  let behind: WrittenObject | undefined;
  const sizes = new SetSize();
  const deleted = await sweep(
    stepSize,
    (limit) => metadata.read.objects.scanByAge({ accountId, after, until, behind, limit }),
    async (step) => {
      behind = step.at(-1);
      const due = step.filter((object) => isDue(rules, prefix, object, now));
      return removeDue(metadata, {
        ...{ account: accountId, addresses: due, sizes, actor: ruleActor },
        async isDueIn(tx) {
          const current = await tx.rules.listOf(accountId);
          return (object) => isDue(current, prefix, object, now);
        },
      });
    },
  );
  await metadata.atomically(
    async (tx) => {
      // If the rules changed during this sweep, this rule may now apply to files that the sweep skipped.
      if (isSame(await tx.rules.listOf(accountId), rules)) await tx.rules.noteSwept(accountId, prefix, until);
    },
    { account: accountId },
  );
  return deleted;
}

/**
 * Returns the instant up to which files need not be read again. All files are read once a day, and when the clock went
 * back. So a jump of the clock can only delay a deletion.
 */
function stillSeen(sweptUntil: number | undefined, until: number): number | undefined {
  const isToday =
    sweptUntil !== undefined && sweptUntil <= until && Math.floor(sweptUntil / dayMs) === Math.floor(until / dayMs);
  return isToday ? sweptUntil : undefined;
}

/** Whether the rule of this prefix applies to the file and deletes it. */
function isDue(
  rules: readonly Rule[],
  prefix: string,
  { key, createdAt }: Pick<StoredObject, 'key' | 'createdAt'>,
  now: number,
): boolean {
  const rule = ruleFor(rules, key);
  return rule?.prefix === prefix && deletes(rule, createdAt, now);
}

function isSame(some: readonly Rule[], others: readonly Rule[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
