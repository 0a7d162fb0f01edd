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
import { nameDetail } from '../name-detail.ts';
import { retireObject, type Ending } from '../retire-object.ts';
import type { FileTables } from '../table.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
}

/** A file that was deleted. */
interface Removed {
  readonly object: StoredObject;
  /** Whether the trash keeps it. */
  readonly isKept: boolean;
}

/**
 * Deletes one file's row and everything that depends on it. Returns undefined if readers saw no such file. The row
 * of an expired file is also removed, and its activity names the system.
 */
export async function removeObject(
  tx: Transaction<FileTables>,
  address: ObjectAddress,
  actor: Actor,
  ending: Ending = {},
): Promise<Removed | undefined> {
  const removed = await tx.objects.remove(address);
  if (!removed) return undefined;
  const { accountId, space, key, sizeBytes } = removed;
  const wasExpired = isExpired(removed, tx.now);
  const by = wasExpired ? systemActor : actor;
  const { freedBytes, isKept } = await retireObject(tx, removed, 'deleted', ending);
  await tx.accounts.addUsage(accountId, { bytes: -freedBytes, objects: -1 });
  await recordActivity(tx, {
    accountId,
    type: 'object.deleted',
    object: { accountId, space, key },
    details: { size: sizeBytes, ...(wasExpired && { expired: true }), ...nameDetail(removed) },
    actor: by,
  });
  const [type, reason] = wasExpired
    ? (['object.expired', 'file_expired'] as const)
    : (['object.deleted', 'file_deleted'] as const);
  await recordFileEvent(tx, type, removed, { actor: by });
  await endLinks(tx, removed, reason, by);
  return wasExpired ? undefined : { object: removed, isKept };
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

/** How a person or a program deletes files. */
interface Deleting extends Pick<Ending, 'keepDays'> {
  readonly actor: Actor;
}

interface DeleteObject extends Deleting {
  readonly address: ObjectAddress;
  readonly conditions?: WriteConditions;
}

/**
 * Deletes one file.
 *
 * @throws OBJECT_NOT_FOUND, CONDITION_NOT_MET, DELETE_FAILED
 */
export async function deleteObject(
  { metadata }: Deps,
  { address, conditions = unconditional, actor, ...ending }: DeleteObject,
): Promise<DeletionReport> {
  const remove = async (tx: Transaction<FileTables>) => {
    await requireCurrent(tx, address, conditions);
    return removeObject(tx, address, actor, ending);
  };
  const removed = await metadata.atomically(remove, { account: address.accountId }).catch(failedAs('DELETE_FAILED'));
  if (!removed) throw new Refusal('OBJECT_NOT_FOUND');
  return { deleted: [formatObjectId(address)], kept: keptOf([removed]), notFound: [], failed: [] };
}

export interface DeletionReport {
  readonly deleted: readonly string[];
  /** The deleted files that the trash keeps. */
  readonly kept: readonly KeptFile[];
  readonly notFound: readonly string[];
  readonly failed: readonly string[];
}

interface KeptFile {
  readonly id: string;
  readonly versionId: string;
}

function keptOf(removed: readonly Removed[]): KeptFile[] {
  return removed
    .filter(({ isKept }) => isKept)
    .map(({ object }) => ({ id: formatObjectId(object), versionId: object.versionId }));
}

interface DeleteObjects extends Deleting {
  readonly accountId: string;
  readonly addresses: readonly ObjectAddress[];
}

/**
 * Deletes several files of an account, each on its own. Reports on each id once, in the order in which they came.
 *
 * @throws {MetadataUnavailable} if the store was unavailable for all of them
 */
export async function deleteObjects(
  { metadata }: Deps,
  { accountId, addresses, actor, ...ending }: DeleteObjects,
): Promise<DeletionReport> {
  const report = { deleted: [] as string[], notFound: [] as string[], failed: [] as string[] };
  const byId = new Map(addresses.map((address) => [formatObjectId(address), address]));
  const outcomes = await inSets(metadata, {
    account: accountId,
    items: [...byId.values()],
    work: (tx, some) => together(some, (address) => removeObject(tx, address, actor, ending)),
  });
  requireSomeReached(outcomes);
  const removed: Removed[] = [];
  for (const [at, id] of [...byId.keys()].entries()) {
    const outcome = outcomes[at];
    const isFailed = outcome instanceof MetadataFailed;
    report[isFailed ? 'failed' : outcome ? 'deleted' : 'notFound'].push(id);
    if (outcome && !isFailed) removed.push(outcome);
  }
  return { ...report, kept: keptOf(removed) };
}
