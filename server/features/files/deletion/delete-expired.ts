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
 * Removes the rows of the files that have expired at `now`. Readers have not seen them since they expired. The reaper
 * removes their bytes. Returns how many there were. Two runs may overlap. Servers that run it at once share the
 * accounts out among them.
 */
export async function deleteExpired(deps: Deps, now: number): Promise<number> {
  const sizes = new SetSize();
  let deleted = 0;
  for (;;) {
    const pass = await passOver(deps, sizes, now);
    deleted += pass.deleted;
    // Files that were passed over are the work of other servers, unless these have passed over them too: they had
    // another file of the same account at that moment. The last server to end passes over none.
    if (!pass.hasPassed || pass.deleted === 0) return deleted;
  }
}

interface Pass {
  readonly deleted: number;
  /** Whether files were left to other servers. */
  readonly hasPassed: boolean;
}

/** Goes once over all expired files, and deletes those whose accounts no other server works on. */
async function passOver(deps: Deps, sizes: SetSize, now: number): Promise<Pass> {
  const limit = deps.accountLeases ? stepSize.shared : stepSize.alone;
  /** Accounts that other servers work on. They are not tried again in this pass. */
  const passed = new Set<string>();
  let from: ExpiryPlace | undefined;
  let deleted = 0;
  for (;;) {
    const found = await deps.metadata.read.objects.expired(now, limit, from);
    if (found.length > 0) deleted += await deleteStep(deps, { found, passed, sizes, now });
    from = placeBehind(found, passed, from);
    if (found.length < limit) return { deleted, hasPassed: passed.size > 0 };
  }
}

/** Returns where the next step begins, so that it does not find the files again that other servers delete. */
function placeBehind(
  found: readonly ExpiredObject[],
  passed: ReadonlySet<string>,
  from: ExpiryPlace | undefined,
): ExpiryPlace | undefined {
  const left = found.filter(({ accountId }) => passed.has(accountId));
  if (left.length === 0) return from;
  const { expiresAt } = found.at(-1)!;
  const ofSameExpiry = left.filter((one) => one.expiresAt === expiresAt).length;
  return { expiresAt, passed: ofSameExpiry + (from?.expiresAt === expiresAt ? from.passed : 0) };
}

interface Step {
  readonly found: readonly ExpiredObject[];
  readonly passed: Set<string>;
  readonly sizes: SetSize;
  readonly now: number;
}

async function deleteStep(deps: Deps, { found, passed, sizes, now }: Step): Promise<number> {
  const isDueIn = async () => (object: StoredObject) => isExpired(object, now);
  const byAccount = Map.groupBy(found, ({ accountId }) => accountId);
  const accounts = [...byAccount.keys()].filter((accountId) => !passed.has(accountId));
  let deleted = 0;
  // Half of them at first, so that another server that has read the same files has something to do.
  const half = deps.accountLeases ? Math.ceil(accounts.length / 2) : accounts.length;
  for (const some of [accounts.slice(0, half), accounts.slice(half)]) {
    if (some.length === 0) continue;
    await withAccounts(deps, 'delete-expired', some, async (taken) => {
      for (const accountId of some) if (!taken.has(accountId)) passed.add(accountId);
      const all = [...taken];
      for (let at = 0; at < all.length; at += accountsAtOnce) {
        const removals = all
          .slice(at, at + accountsAtOnce)
          .map(([account, metadata]) =>
            removeDue(metadata, { account, addresses: byAccount.get(account)!, sizes, actor: systemActor, isDueIn }),
          );
        for (const count of await Promise.all(removals)) deleted += count;
      }
    });
  }
  return deleted;
}
