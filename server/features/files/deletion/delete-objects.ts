import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { recordFileEvent } from '../file-event.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { MetadataFailed, type Transaction, type Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { failedAs, requireSomeReached } from '#server/domain/failed-as.ts';
import { inSets, together } from '#server/domain/in-sets.ts';
import { SetSize } from '#server/domain/set-size.ts';
import { isExpired, type StoredObject } from '../object.ts';
import { unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { requireCurrent } from '../write-conditions.ts';
import { endLinks } from '../lost-links.ts';
import { retireObject } from '../retire-object.ts';
import type { FileTables } from '../table.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
}

/**
 * Deletes one file's row and everything that depends on it. Returns false if readers saw no such file. The row of an
 * expired file is also removed, and its activity names the system.
 *
 * @param mayKeep whether the trash may keep it, if the rule of its prefix says so
 */
export async function removeObject(
  tx: Transaction<FileTables>,
  address: ObjectAddress,
  actor: Actor,
  mayKeep = true,
): Promise<boolean> {
  const removed = await tx.objects.remove(address);
  if (!removed) return false;
  const { accountId, space, key, sizeBytes } = removed;
  const wasExpired = isExpired(removed, tx.now);
  const by = wasExpired ? systemActor : actor;
  const freed = await retireObject(tx, removed, 'deleted', mayKeep);
  await tx.accounts.addUsage(accountId, { bytes: -freed, objects: -1 });
  await recordActivity(tx, {
    accountId,
    type: 'object.deleted',
    object: { accountId, space, key },
    details: { size: sizeBytes, ...(wasExpired && { expired: true }) },
    actor: by,
  });
  const [type, reason] = wasExpired
    ? (['object.expired', 'file_expired'] as const)
    : (['object.deleted', 'file_deleted'] as const);
  await recordFileEvent(tx, type, removed, { actor: by });
  await endLinks(tx, removed, reason, by);
  return !wasExpired;
}

interface DueFiles {
  readonly account: string;
  readonly addresses: readonly ObjectAddress[];
  readonly sizes: SetSize;
  readonly actor: Actor;
  /** Returns whether a file is still due, because it and its rules may have changed since they were read. */
  isDueIn(tx: Transaction<FileTables>): Promise<(object: StoredObject) => boolean>;
}

/** Deletes the files of an account that are still due. Returns their number. */
export async function removeDue(
  metadata: Writes<FileTables>,
  { account, addresses, sizes, actor, isDueIn }: DueFiles,
): Promise<number> {
  let removed = 0;
  await sizes.each(addresses, async (set) => {
    const remove = async (tx: Transaction<FileTables>) => {
      const isDue = await isDueIn(tx);
      return together(set, async (address) => {
        const object = await tx.objects.find(address);
        if (!object || !isDue(object)) return false;
        await removeObject(tx, address, actor);
        return true;
      });
    };
    const done = await metadata.atomically((tx) => sizes.measured(set, () => remove(tx)), { account });
    removed += done.filter(Boolean).length;
  });
  return removed;
}

/**
 * Deletes one file.
 *
 * @throws OBJECT_NOT_FOUND, CONDITION_NOT_MET, DELETE_FAILED
 */
export async function deleteObject(
  { metadata }: Deps,
  address: ObjectAddress,
  actor: Actor,
  conditions: WriteConditions = unconditional,
): Promise<void> {
  const remove = async (tx: Transaction<FileTables>) => {
    await requireCurrent(tx, address, conditions);
    return removeObject(tx, address, actor);
  };
  const removed = metadata.atomically(remove, { account: address.accountId });
  if (!(await removed.catch(failedAs('DELETE_FAILED')))) throw new Refusal('OBJECT_NOT_FOUND');
}

interface DeletionReport {
  readonly deleted: readonly string[];
  readonly notFound: readonly string[];
  readonly failed: readonly string[];
}

/**
 * Deletes several files of an account, each on its own. Reports on each id once, in the order in which they came.
 *
 * @throws {MetadataUnavailable} if the store was unavailable for all of them
 */
export async function deleteObjects(
  { metadata }: Deps,
  accountId: string,
  addresses: readonly ObjectAddress[],
  actor: Actor,
): Promise<DeletionReport> {
  const report = { deleted: [] as string[], notFound: [] as string[], failed: [] as string[] };
  const byId = new Map(addresses.map((address) => [formatObjectId(address), address]));
  const outcomes = await inSets(metadata, {
    account: accountId,
    items: [...byId.values()],
    work: (tx, some) => together(some, (address) => removeObject(tx, address, actor)),
  });
  requireSomeReached(outcomes);
  for (const [at, id] of [...byId.keys()].entries()) {
    const outcome = outcomes[at];
    report[outcome instanceof MetadataFailed ? 'failed' : outcome ? 'deleted' : 'notFound'].push(id);
  }
  return report;
}
