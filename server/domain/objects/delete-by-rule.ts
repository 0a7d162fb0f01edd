import { ruleActor } from '../activity/activity.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { activeFrom, deletes, ruleFor, type Rule } from '../rules/rule.ts';
import { removeObject } from './delete-objects.ts';
import { spaces, type Space, type StoredObject } from './object.ts';

interface Deps {
  readonly metadata: Metadata;
}

/** Files that are looked at in one step, and deleted in one transaction. */
const batchSize = 100;

/**
 * Deletes the files that a rule says are old enough at `now`, wherever they lie and however they were written. Where
 * several rules fit, the one with the longest prefix holds, also when it deletes later or not at all. Answers how many
 * were deleted. May run twice at once.
 */
export async function deleteByRule({ metadata }: Deps, now: number): Promise<number> {
  let deleted = 0;
  for (const accountId of await metadata.read.rules.accountsThatDelete()) {
    const rules = await metadata.read.rules.listOf(accountId);
    for (const rule of rules.filter((one) => isActive(one, now))) {
      for (const space of spaces) deleted += await deleteUnder(metadata, { accountId, space, rules, rule, now });
    }
  }
  return deleted;
}

function isActive(rule: Rule, now: number): boolean {
  const from = activeFrom(rule);
  return from !== undefined && from <= now;
}

interface Search {
  readonly accountId: string;
  readonly space: Space;
  readonly rules: readonly Rule[];
  readonly rule: Rule;
  readonly now: number;
}

async function deleteUnder(metadata: Metadata, { accountId, space, rules, rule: { prefix }, now }: Search): Promise<number> {
  let deleted = 0;
  let behind = prefix;
  for (;;) {
    const step = await metadata.read.objects.scan({ accountId, space, prefix, from: { behind }, limit: batchSize });
    const due = step.filter((object) => isDue(rules, prefix, object, now));
    if (due.length > 0) deleted += await metadata.atomically((tx) => removeDue(tx, due, prefix, now));
    if (step.length < batchSize) return deleted;
    behind = step.at(-1)!.key;
  }
}

/** Whether the rule of this prefix holds for the file, and says that it is to go. */
function isDue(rules: readonly Rule[], prefix: string, object: StoredObject, now: number): boolean {
  const rule = ruleFor(rules, object.key);
  return rule?.prefix === prefix && deletes(rule, object.createdAt, now);
}

/** Asks files and rules again: either may have changed since they were read, and what is deleted is gone for good. */
async function removeDue(tx: Transaction, due: readonly StoredObject[], prefix: string, now: number): Promise<number> {
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
