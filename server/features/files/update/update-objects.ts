import type { Account } from '#server/domain/account/account.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { recordFileEvent } from '../file-event.ts';
import { requireSomeReached } from '#server/domain/failed-as.ts';
import { inSets, together } from '#server/domain/in-sets.ts';
import { SetSize } from '#server/domain/set-size.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import { formatObjectId, isKey, type ObjectAddress } from '#server/domain/object-id.ts';
import { MetadataFailed, type Transaction } from '#server/domain/ports/metadata.ts';
import { dropsPublicCopies, rewrite, takeBack, type HideDeps, type WrittenChange } from './hidden-change.ts';
import { generationAt } from '../generation.ts';
import { namesByPlaces } from './names-by-places.ts';
import { withSuffix } from '../key.ts';
import {
  changedObject,
  FileRefused,
  eventTypesOf,
  namesOf,
  readChanges,
  type Changes,
  type ObjectChanges,
  type UpdateFailureCode,
  withNewAddress,
} from './object-changes.ts';
import { findLive, type StoredObject } from '../object.ts';
import { nameDetail } from '../name-detail.ts';
import { newVersionId } from '../version.ts';
import { isHidden } from '../visibility.ts';
import { unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { requireCurrent } from '../write-conditions.ts';

interface Deps extends HideDeps {
  readonly ids: Ids;
}

interface FailedUpdate {
  readonly ok: false;
  readonly code: UpdateFailureCode;
}

export type UpdateOutcome =
  | { readonly ok: true; readonly object: StoredObject; readonly isMoved: boolean }
  | FailedUpdate;

interface UpdateObjects {
  readonly account: Account;
  readonly addresses: readonly ObjectAddress[];
  readonly changes: ObjectChanges;
  /** About the file, if it is only one. */
  readonly conditions?: WriteConditions;
  readonly actor: Actor;
}

/**
 * Changes each file on its own. The changes apply one after another: private, expire, cache_control, disposition,
 * metadata, original_name. Returns one outcome for each address, in their order.
 *
 * @throws NOTHING_TO_UPDATE, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL, UPGRADE_REQUIRED for the whole
 *   request
 * @throws CONDITION_NOT_MET
 * @throws {MetadataUnavailable} if the store was unavailable for all files
 */
export async function updateObjects(
  deps: Deps,
  { account, addresses, changes, conditions = unconditional, actor }: UpdateObjects,
): Promise<UpdateOutcome[]> {
  const wanted = readChanges(account, changes);
  const changeId = deps.ids.opaqueId();
  const written = await inSets(deps.metadata, {
    ...{ account: account.id, ...(wanted.isPrivate === true && { purgedChangeId: changeId }) },
    items: addresses,
    sizes: SetSize.ofLightItems(),
    async work(tx, some) {
      const update = async (address: ObjectAddress) => {
        await requireCurrent(tx, address, conditions);
        return updateRow(tx, deps.ids, { account, address, changes: wanted, actor });
      };
      const nameOf = await namesForUpdate(tx, deps.ids, some, { account, changes: wanted });
      return together(some, (address) => update(address).catch(asRefused), nameOf);
    },
  });
  requireSomeReached(written);
  const hidden = written.filter(
    (one): one is WrittenChange => !(one instanceof Error) && isHidden(one.before.space, one.after.space),
  );
  const isDropped = hidden.length === 0 || (await dropsPublicCopies(deps, hidden, changeId));
  const undone = new Set<unknown>(isDropped ? [] : hidden);
  return Promise.all(
    written.map(async (one) => {
      if (one instanceof Error) return failed(one);
      if (undone.has(one)) return undo(deps, one, changeId).catch(failed);
      const { before, after } = one;
      return { ok: true as const, object: after, isMoved: before.space !== after.space || before.key !== after.key };
    }),
  );
}

/** Returns the refusal of one file. Every other error undoes the transaction. */
function asRefused(error: unknown): FileRefused {
  if (error instanceof FileRefused) return error;
  throw error;
}

/**
 * Turns the refusal of one file, or a failure of the metadata store, into its outcome. Every other error fails the
 * request.
 */
function failed(error: unknown): FailedUpdate {
  if (error instanceof FileRefused) return { ok: false, code: error.code };
  if (error instanceof MetadataFailed) return { ok: false, code: 'UPDATE_FAILED' };
  throw error;
}

/**
 * Makes a file public again, unless another request has changed it meanwhile.
 *
 * @throws VISIBILITY_CHANGE_FAILED always
 */
async function undo(deps: Deps, change: WrittenChange, changeId: string): Promise<never> {
  await takeBack(deps, change, changeId);
  throw new FileRefused('VISIBILITY_CHANGE_FAILED');
}

interface UpdateRow {
  readonly account: Account;
  readonly address: ObjectAddress;
  readonly changes: Changes;
  readonly actor: Actor;
}

/**
 * Returns the names that an update of several files has in `together()`. The same file may be named twice, and files
 * that differ only in their expiry or visibility may come to one address.
 */
export function namesForUpdate(
  tx: Transaction<'objects'>,
  ids: Ids,
  addresses: readonly ObjectAddress[],
  { account: { plan }, changes }: Pick<UpdateRow, 'account' | 'changes'>,
): Promise<(address: ObjectAddress) => string> {
  return namesByPlaces(tx, addresses, (file) => withNewAddress(file, changes, { plan, ids, now: tx.now }));
}

/** Changes one file within a transaction. Every refusal comes before the first write. @throws {FileRefused} */
export async function updateRow(
  tx: Transaction<'accounts' | 'activity' | 'events' | 'objects' | 'linksOfFile'>,
  ids: Ids,
  { account: { plan }, address, changes, actor }: UpdateRow,
): Promise<WrittenChange> {
  const before = await findLive(tx.objects, address, tx.now);
  if (!before) throw new FileRefused('OBJECT_NOT_FOUND');
  const placed = await atFreeAddress(tx, before, changedObject(before, changes, { plan, ids, now: tx.now }), ids);
  const isMoved = placed.space !== before.space || placed.key !== before.key;
  const after = {
    ...placed,
    generation: generationAt(ids, placed, before, tx.now),
    // Versions at the new id may be newer than the file, and it has to sort behind them.
    versionId: isMoved ? newVersionId(ids, undefined, tx.now) : before.versionId,
  };
  // A legacy key may leave no space for a hash. A file with a malformed id could never be reached again.
  if (!isKey(after.key)) throw new FileRefused('UPDATE_FAILED');
  await rewrite(tx, before, after, actor);
  const details = { from: formatObjectId(before), changed: namesOf(changes) };
  const { accountId } = after;
  const sequence = await recordActivity(tx, {
    accountId,
    type: 'object.updated',
    object: after,
    details: { ...details, ...nameDetail(after) },
    actor,
  });
  for (const type of eventTypesOf(changes)) await recordFileEvent(tx, type, after, { actor, ...details });
  return { before, after, sequence };
}

/** An update never overwrites a file. If the new id is taken, it adds a new hash. */
async function atFreeAddress(
  tx: Transaction<'objects'>,
  before: StoredObject,
  after: StoredObject,
  ids: Ids,
): Promise<StoredObject> {
  if (after.space === before.space && after.key === before.key) return after;
  return (await tx.objects.find(after)) ? withSuffix(after, { hash: ids.nameHash() }) : after;
}
