import { dayMs } from '../account/usage-days.ts';
import { ruleActor } from '../activity/activity.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { deletes, deletesUntil, ruleFor, type Rule } from '../rules/rule.ts';
import { removeObject } from './delete-objects.ts';
import type { StoredObject } from './object.ts';
import type { WrittenObject } from './table.ts';
import { sweep } from '../sweep.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'contents' | 'objects' | 'rules'>;
}

/** Files that are looked at in one step. */
const stepSize = 500;

/** Files that are deleted in one transaction: few enough that requests in between do not notice. */
const batchSize = 50;

/**
 * Deletes the files that a rule says are old enough at `now`, wherever they lie and however they were written. Where
 * several rules fit, the one with the longest prefix holds, also when it deletes later or not at all. Answers how many
 * were deleted. May run twice at once.
 *
 * A run looks only at the files that have come of age since the last one, so that what is kept costs nothing.
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
  const deleted = await sweep(
    stepSize,
    (limit) => metadata.read.objects.scanByAge({ accountId, after, until, behind, limit }),
    async (step) => {
      behind = step.at(-1);
      const due = step.filter((object) => isDue(rules, prefix, object, now));
      let removed = 0;
      for (let at = 0; at < due.length; at += batchSize)
        removed += await metadata.atomically((tx) => removeDue(tx, due.slice(at, at + batchSize), prefix, now));
      return removed;
    },
  );
  await metadata.atomically(async (tx) => {
    // With other rules than this sweep knew, the rule may own files that it has passed over.
    if (isSame(await tx.rules.listOf(accountId), rules)) await tx.rules.noteSwept(accountId, prefix, until);
  });
  return deleted;
}

/**
 * Up to when files need not be looked at again. Once a day everything is: a file whose date was wrong, as after a jump
 * of the clock, is only put off. Likewise when the clock went back.
 */
function stillSeen(sweptUntil: number | undefined, until: number): number | undefined {
  const isToday =
    sweptUntil !== undefined && sweptUntil <= until && Math.floor(sweptUntil / dayMs) === Math.floor(until / dayMs);
  return isToday ? sweptUntil : undefined;
}

/** Whether the rule of this prefix holds for the file, and says that it is to go. */
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

/** Asks files and rules again: either may have changed since they were read, and what is deleted is gone for good. */
async function removeDue(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'objects' | 'rules'>,
  due: readonly WrittenObject[],
  prefix: string,
  now: number,
): Promise<number> {
  const rules = await tx.rules.listOf(due[0]!.accountId);
  let removed = 0;
  for (const address of due) {
    const object = await tx.objects.find(address);
    if (!object || !isDue(rules, prefix, object, now)) continue;
    await removeObject(tx, address, ruleActor);
    removed++;
  }
  return removed;
}
