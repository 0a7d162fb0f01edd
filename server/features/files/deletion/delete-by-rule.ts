import { dayMs } from '#server/domain/day.ts';
import { ruleActor } from '#server/domain/activity/activity.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { deletes, deletesUntil, ruleFor, type Rule } from '#server/features/rules/rule.ts';
import { together } from '#server/domain/in-sets.ts';
import type { Space } from '#server/domain/object-id.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { removeDue } from './delete-objects.ts';
import type { StoredObject } from '../object.ts';
import type { FileTables, ScanStep, WrittenObject } from '../table.ts';

interface Deps {
  readonly metadata: Metadata<FileTables>;
}

/** Files that one step looks at. */
const stepSize = 1_000;

/** Accounts whose rules are gone through at the same time. Their reads then travel together. */
const accountsAtOnce = 5;

/** A time that has brought nothing is noted once it is this long. It is read again until then. */
const noteEveryMs = 3_600_000;

/**
 * Deletes the files that the rule of their prefix deletes at `now`, however they were written. Of several rules that
 * match a file, the one with the longest prefix applies, even if it deletes later or not at all. Returns how
 * many files were deleted. Two runs may overlap.
 *
 * A run reads only the files that became old enough since the last run.
 */
export async function deleteByRule({ metadata }: Deps, now: number): Promise<number> {
  const accounts = await metadata.read.rules.accountsThatDelete();
  let deleted = 0;
  for (let at = 0; at < accounts.length; at += accountsAtOnce) {
    const sweeps = accounts.slice(at, at + accountsAtOnce).map((accountId) => sweepAccount(metadata, accountId, now));
    for (const count of await Promise.all(sweeps)) deleted += count;
  }
  return deleted;
}

interface RuleSweep {
  readonly accountId: string;
  readonly rules: readonly Rule[];
  readonly prefix: string;
  /** Files that were written at this instant or before need not be looked at. Undefined: all have to be. */
  readonly after: number | undefined;
  /** The rule deletes what was written at this instant or before. */
  readonly until: number;
  readonly now: number;
}

async function sweepAccount(metadata: Deps['metadata'], accountId: string, now: number): Promise<number> {
  const rules = await metadata.read.rules.listOf(accountId);
  const deleting = rules.flatMap(({ prefix, ...rule }) => {
    const until = deletesUntil(rule, now);
    return until === undefined ? [] : [{ prefix, until }];
  });
  const sweeps: RuleSweep[] = await Promise.all(
    deleting.map(async ({ prefix, until }) => {
      const after = stillSeen(await metadata.read.rules.sweptUntil(accountId, prefix), until);
      return { accountId, rules, prefix, after, until, now };
    }),
  );
  // The first steps, which are the only ones of most rules, travel together.
  const begun = await Promise.all(sweeps.map(async (one) => ({ one, walk: await firstStep(metadata, one) })));
  const sizes = new SetSize();
  const counts: number[] = [];
  for (const { one, walk } of begun) counts.push(await deleteWalked(metadata, one, { walk, sizes }));
  const swept = sweeps.filter(
    ({ after, until }, at) => after === undefined || counts[at]! > 0 || until - after >= noteEveryMs,
  );
  if (swept.length > 0) await noteSwept(metadata, accountId, { rules, swept });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A walk to the files that a rule may delete. */
interface Walk {
  /** The files of the last step. */
  readonly files: readonly WrittenObject[];
  /** Takes the next step. Undefined: there is none. */
  readonly next: (() => Promise<Walk>) | undefined;
}

/**
 * Begins the shorter one of two ways. Files of some minutes are few, whatever their keys are. For all old files, those
 * under the prefix may be few, or the old ones of the account. Nobody knows which, so the walk takes turns on both ways
 * until one of them has ended.
 */
function firstStep(metadata: Deps['metadata'], { accountId, prefix, after, until }: RuleSweep): Promise<Walk> {
  const { objects } = metadata.read;
  const scan = { accountId, prefix, after, until, limit: stepSize };
  const byAge = wayOf((behind: WrittenObject | undefined) => objects.scanByAge({ ...scan, behind }));
  const byKey = wayOf((behind: ReadonlyMap<Space, string> | undefined) => objects.scanAgedByKey({ ...scan, behind }));
  return after === undefined ? inTurns(byKey, byAge) : inTurns(byAge, byKey);
}

/** Takes a step. Afterwards there may be another one. */
type Way = () => Promise<{ readonly files: readonly WrittenObject[]; readonly next: Way | undefined }>;

function wayOf<Place>(scan: (behind: Place | undefined) => Promise<ScanStep<Place>>, behind?: Place): Way {
  return async () => {
    const step = await scan(behind);
    return { files: step.files, next: step.behind === undefined ? undefined : wayOf(scan, step.behind) };
  };
}

async function inTurns(way: Way, other: Way): Promise<Walk> {
  const { files, next } = await way();
  return { files, next: next && (() => inTurns(other, next)) };
}

interface Deleting {
  readonly walk: Walk;
  readonly sizes: SetSize;
}

/** Deletes what a walk finds. Returns how many files that are. */
async function deleteWalked(
  metadata: Deps['metadata'],
  { accountId, rules, prefix, now }: RuleSweep,
  { walk, sizes }: Deleting,
): Promise<number> {
  let deleted = 0;
  for (let step: Walk | undefined = walk; step; step = await step.next?.()) {
    const due = step.files.filter((object) => isDue(rules, prefix, object, now));
    if (due.length === 0) continue;
    deleted += await removeDue(metadata, {
      ...{ account: accountId, addresses: due, sizes, actor: ruleActor },
      async isDueIn(tx) {
        const current = await tx.rules.listOf(accountId);
        return (object) => isDue(current, prefix, object, now);
      },
    });
  }
  return deleted;
}

interface Swept {
  readonly rules: readonly Rule[];
  readonly swept: readonly RuleSweep[];
}

/** If the rules changed meanwhile, these may now apply to files that the sweeps skipped, so nothing is noted. */
function noteSwept(metadata: Deps['metadata'], accountId: string, { rules, swept }: Swept): Promise<void> {
  return metadata.atomically(
    async (tx) => {
      if (!isSame(await tx.rules.listOf(accountId), rules)) return;
      await together(swept, ({ prefix, until }) => tx.rules.noteSwept(accountId, prefix, until));
    },
    { account: accountId },
  );
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
