import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { Ids } from '../ports/ids.ts';
import { MetadataUnavailable, type Transaction } from '../ports/metadata.ts';
import { dropsPublicCopies, hiding, rewrite, takeBack, type HideDeps, type WrittenChange } from './hidden-change.ts';
import { formatObjectId, isKey, type ObjectAddress } from '../object-id.ts';
import { incarnationAt } from './incarnation.ts';
import { withEnding } from './key.ts';
import {
  changedObject,
  FileRefused,
  namesOf,
  readChanges,
  type Changes,
  type ObjectChanges,
  type UpdateFailureCode,
} from './object-changes.ts';
import { isExpired, type StoredObject } from './object.ts';
import { isHidden } from './visibility.ts';

interface Deps extends HideDeps {
  readonly ids: Ids;
}

export type UpdateOutcome =
  | { readonly ok: true; readonly object: StoredObject; readonly isMoved: boolean }
  | { readonly ok: false; readonly code: UpdateFailureCode };

export interface UpdateObjects {
  readonly account: Account;
  readonly addresses: readonly ObjectAddress[];
  readonly changes: ObjectChanges;
  readonly actor: Actor;
}

/**
 * Changes each file on its own, in the order private, expire, cache_control, disposition, metadata, each on the result
 * of the one before. One outcome for each address, in their order.
 *
 * @throws NOTHING_TO_UPDATE, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL, UPGRADE_REQUIRED for the whole
 *   request
 */
export async function updateObjects(
  deps: Deps,
  { account, addresses, changes, actor }: UpdateObjects,
): Promise<UpdateOutcome[]> {
  const wanted = readChanges(account, changes);
  const options = wanted.isPrivate === true ? hiding : {};
  // Queued in request order, so the same file may be named twice; side by side, so that all share one commit.
  const written = await Promise.all(
    addresses.map((address) =>
      outcomeOf(() =>
        deps.metadata.atomically((tx) => updateRow(tx, deps.ids, account, address, wanted, actor), options),
      ),
    ),
  );
  const hidden = written.filter(
    (change): change is WrittenChange => 'before' in change && isHidden(change.before.space, change.after.space),
  );
  const isDropped = hidden.length === 0 || (await dropsPublicCopies(deps, hidden));
  return Promise.all(
    written.map(async (change) => {
      if (!('before' in change)) return change;
      if (hidden.includes(change) && !isDropped) return outcomeOf(() => undo(deps, change));
      const { before, after } = change;
      return { ok: true as const, object: after, isMoved: before.space !== after.space || before.key !== after.key };
    }),
  );
}

interface FailedUpdate {
  readonly ok: false;
  readonly code: UpdateFailureCode;
}

/** What refuses one file is its outcome; everything else fails the request. */
async function outcomeOf<T>(work: () => Promise<T>): Promise<T | FailedUpdate> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileRefused) return { ok: false, code: error.code };
    if (error instanceof MetadataUnavailable) return { ok: false, code: 'UPDATE_FAILED' };
    throw error;
  }
}

/**
 * @throws VISIBILITY_CHANGE_FAILED with the file public again, as it was, unless another request changed it meanwhile
 */
async function undo(deps: Deps, change: WrittenChange): Promise<never> {
  await takeBack(deps, change);
  throw new FileRefused('VISIBILITY_CHANGE_FAILED');
}

async function updateRow(
  tx: Transaction<'accounts' | 'activity' | 'objects'>,
  ids: Ids,
  { plan }: Account,
  address: ObjectAddress,
  changes: Changes,
  actor: Actor,
): Promise<WrittenChange> {
  const before = await tx.objects.find(address);
  if (!before || isExpired(before, tx.now)) throw new FileRefused('OBJECT_NOT_FOUND');
  const placed = await atFreeAddress(tx, before, changedObject(before, changes, { plan, ids, now: tx.now }), ids);
  const after = { ...placed, incarnation: incarnationAt(ids, placed, before, tx.now) };
  // A legacy key may be so long that there is no room for a hash; a file under an id that is none could not be reached
  // again.
  if (!isKey(after.key)) throw new FileRefused('UPDATE_FAILED');
  await rewrite(tx, before, after);
  const details = { from: formatObjectId(before), changed: namesOf(changes) };
  const sequence = await recordActivity(tx, {
    accountId: after.accountId,
    type: 'object.updated',
    object: after,
    details,
    actor,
  });
  return { before, after, sequence };
}

/** An update never overwrites: when the new id is taken, a fresh hash is added. */
async function atFreeAddress(
  tx: Transaction<'objects'>,
  before: StoredObject,
  after: StoredObject,
  ids: Ids,
): Promise<StoredObject> {
  if (after.space === before.space && after.key === before.key) return after;
  return (await tx.objects.find(after)) ? withEnding(after, { hash: ids.nameHash() }) : after;
}
