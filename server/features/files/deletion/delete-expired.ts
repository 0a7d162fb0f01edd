import { systemActor } from '#server/domain/activity/activity.ts';
import { withAccounts } from '#server/domain/jobs/with-accounts.ts';
import type { AccountLeases } from '#server/domain/ports/job-leases.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { removeDue } from './delete-objects.ts';
import { isExpired, type StoredObject } from '../object.ts';
import type { ExpiredObject, ExpiryPlace, FileTables } from '../table.ts';

interface Deps {
  readonly metadata: Metadata<FileTables>;
  /** Undefined if only one server runs jobs. */
  readonly accountLeases?: AccountLeases | undefined;
}

/** Files that are read in one step. Several servers read more, because they take accounts in each. */
const stepSize = { alone: 50, shared: 200 };

/** Accounts whose files are deleted at the same time, in a transaction each. Many small ones then share commits. */
const accountsAtOnce = 5;

/**
 * A pass ends after so many full steps in a row whose accounts are all with other servers. One account may have a long
 * backlog. The server that has it also deletes what comes later.
 */
const mostFruitless = 5;

/** The same where accounts have failed. No other server deletes what comes later, so the pass looks further. */
const mostFailed = 50;

interface Run {
  readonly deps: Deps;
  readonly sizes: SetSize;
  readonly now: number;
  /** Accounts whose files could not be deleted, with the errors. They are left to the next run. */
  readonly failed: Map<string, unknown>;
}

/**
 * Removes the rows of the files that have expired at `now`. Readers have not seen them since they expired. The reaper
 * removes their bytes. Returns how many there were. Two runs may overlap. Servers that run it at once share the
 * accounts out among them.
 *
 * @throws the first error of an account, after the files of the others have been deleted
 */
export async function deleteExpired(deps: Deps, now: number): Promise<number> {
  const run: Run = { deps, sizes: new SetSize(), now, failed: new Map() };
  let deleted = 0;
  for (;;) {
    const pass = await passOver(run);
    deleted += pass.deleted;
    // Files that were passed over are the work of other servers, unless these have passed over them too: they had
    // another file of the same account at that moment. The last server to end passes over none.
    if (pass.hasPassed && pass.deleted > 0) continue;
    if (run.failed.size > 0) throw [...run.failed.values()][0];
    return deleted;
  }
}

interface Pass {
  readonly deleted: number;
  /** Whether files were left to other servers. */
  readonly hasPassed: boolean;
}

/** Goes once over all expired files, and deletes those whose accounts no other server works on. */
async function passOver(run: Run): Promise<Pass> {
  const { deps, now, failed } = run;
  const limit = deps.accountLeases ? stepSize.shared : stepSize.alone;
  /** Accounts that other servers work on. They are not tried again in this pass. */
  const passed = new Set<string>();
  let from: ExpiryPlace | undefined;
  let deleted = 0;
  let fruitless = 0;
  for (;;) {
    const found = await deps.metadata.read.objects.expired(now, limit, from);
    const failedBefore = failed.size;
    if (found.length > 0) deleted += await deleteStep(run, found, passed);
    // Some files of an account that has just failed may be gone. The next step begins here again.
    if (failed.size > failedBefore) continue;
    const left = found.filter(({ accountId }) => passed.has(accountId) || failed.has(accountId));
    from = placeBehind(found, left, from);
    fruitless = left.length === found.length ? fruitless + 1 : 0;
    const most = left.some(({ accountId }) => failed.has(accountId)) ? mostFailed : mostFruitless;
    if (found.length < limit || fruitless >= most) return { deleted, hasPassed: passed.size > 0 };
  }
}

/** Returns where the next step begins, so that it does not find the files again that were left. */
function placeBehind(
  found: readonly ExpiredObject[],
  left: readonly ExpiredObject[],
  from: ExpiryPlace | undefined,
): ExpiryPlace | undefined {
  if (left.length === 0) return from;
  const { expiresAt } = found.at(-1)!;
  const ofSameExpiry = left.filter((one) => one.expiresAt === expiresAt).length;
  return { expiresAt, passed: ofSameExpiry + (from?.expiresAt === expiresAt ? from.passed : 0) };
}

/** @param passed gets the accounts that other servers work on */
async function deleteStep(run: Run, found: readonly ExpiredObject[], passed: Set<string>): Promise<number> {
  const { deps, failed } = run;
  const byAccount = Map.groupBy(found, ({ accountId }) => accountId);
  const accounts = [...byAccount.keys()].filter((accountId) => !passed.has(accountId) && !failed.has(accountId));
  let deleted = 0;
  // Half of them at first, so that another server that has read the same files has something to do.
  const half = deps.accountLeases ? Math.ceil(accounts.length / 2) : accounts.length;
  for (const some of [accounts.slice(0, half), accounts.slice(half)]) {
    if (some.length === 0) continue;
    await withAccounts(deps, 'delete-expired', some, async (taken) => {
      for (const accountId of some) if (!taken.has(accountId)) passed.add(accountId);
      const all = [...taken];
      for (let at = 0; at < all.length; at += accountsAtOnce)
        deleted += await deleteOf(run, all.slice(at, at + accountsAtOnce), byAccount);
    });
  }
  return deleted;
}

/** Deletes the files of some accounts at once. Waits for all of them, because their leases end afterwards. */
async function deleteOf(
  { sizes, now, failed }: Run,
  accounts: ReadonlyArray<readonly [accountId: string, metadata: Deps['metadata']]>,
  files: ReadonlyMap<string, readonly ExpiredObject[]>,
): Promise<number> {
  const isDueIn = async () => (object: StoredObject) => isExpired(object, now);
  const failures: unknown[] = [];
  const removals = accounts.map(async ([account, metadata]) => {
    try {
      const addresses = files.get(account)!;
      return await removeDue(metadata, { account, addresses, sizes, actor: systemActor, isDueIn });
    } catch (error) {
      failures.push(error);
      failed.set(account, error);
      return 0;
    }
  });
  const counts = await Promise.all(removals);
  // Accounts that fail together are hardly the cause: the store is.
  if (failures.length > 1 && failures.length === accounts.length) throw failures[0];
  return counts.reduce((sum, count) => sum + count, 0);
}
