import type { Reach } from '#server/domain/access/requester.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { recordFileEvent } from '#server/features/files/file-event.ts';
import { generationAt } from '#server/features/files/generation.ts';
import { putInPlace } from '#server/features/files/lost-links.ts';
import { nameDetail } from '#server/features/files/name-detail.ts';
import { isExpired, type StoredObject } from '#server/features/files/object.ts';
import type { FileTables } from '#server/features/files/table.ts';
import { newVersionId } from '#server/features/files/version.ts';
import { unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { requireConditions } from '#server/features/files/write-conditions.ts';
import { together } from '#server/domain/in-sets.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { eachVersion, type VersionOutcome } from './each-version.ts';
import { retireObject } from '#server/features/files/retire-object.ts';
import { fileOf, type TrashedObject } from '#server/features/files/trash-table.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
  readonly ids: Pick<Ids, 'nameHash' | 'orderedId'>;
}

interface Restoring {
  /** Whether a file that is there now may be replaced. */
  readonly mayReplace: boolean;
  /** Whether the file keeps its version. Only if that is the newest one of its key. */
  readonly keepsVersion?: boolean;
  /** About the file that is there now. */
  readonly conditions?: WriteConditions;
  readonly actor: Actor;
}

interface RestoreVersions extends Reach, Restoring {
  readonly versionIds: readonly string[];
}

/**
 * Makes versions of the trash files again, under their ids, each on its own.
 *
 * @throws VERSION_NOT_FOUND, CONDITION_NOT_MET, OBJECT_ALREADY_EXISTS, RESTORE_FAILED if one version is named
 */
export async function restoreVersions(
  { metadata, ids }: Deps,
  { versionIds, ...command }: RestoreVersions,
): Promise<Array<VersionOutcome<StoredObject>>> {
  const { accountId, prefixes } = command;
  return eachVersion(metadata, {
    ...{ accountId, prefixes, versionIds, failure: 'RESTORE_FAILED' },
    work: (tx, version) => restoreVersion(tx, ids, version, command),
    namesFor: (tx, some) => namesByFile(tx, accountId, some),
  });
}

/** Versions of the same file depend on each other. A missing one may be that of a file which another one replaces. */
async function namesByFile(
  tx: Transaction<'trash'>,
  accountId: string,
  versionIds: readonly string[],
): Promise<(versionId: string) => string> {
  if (versionIds.length === 1) return () => '';
  const versions = await together(versionIds, (versionId) => tx.trash.find(accountId, versionId));
  const names = new Map(versions.map((version) => [version?.versionId, version && formatObjectId(version)]));
  return names.has(undefined) ? () => '' : (versionId) => names.get(versionId)!;
}

/**
 * Makes a version of the trash a file again. Its bytes counted before. Links of the deleted file stay ended, because it
 * has another generation.
 *
 * @throws CONDITION_NOT_MET, OBJECT_ALREADY_EXISTS
 */
export async function restoreVersion(
  tx: Transaction<FileTables>,
  ids: Deps['ids'],
  version: TrashedObject,
  { mayReplace, keepsVersion = false, conditions = unconditional, actor }: Restoring,
): Promise<StoredObject> {
  const existing = await tx.objects.find(version);
  requireConditions(existing, conditions, tx.now);
  const isReplaced = existing !== undefined && !isExpired(existing, tx.now);
  if (isReplaced && !mayReplace) throw new Refusal('OBJECT_ALREADY_EXISTS');
  await tx.trash.remove(version.accountId, version.versionId);
  const object: StoredObject = {
    ...fileOf(version),
    generation: generationAt(ids, version, existing, tx.now),
    versionId: keepsVersion ? version.versionId : newVersionId(ids, existing ?? version, tx.now),
    createdAt: tx.now,
  };
  await putInPlace(tx, object, existing);
  const freedBytes = existing ? (await retireObject(tx, existing, 'replaced')).freedBytes : 0;
  await tx.accounts.addUsage(version.accountId, { bytes: -freedBytes, objects: existing ? 0 : 1 });
  const details = {
    size: object.sizeBytes,
    deleted_at: new Date(version.deletedAt).toISOString(),
    replaced: isReplaced,
    ...nameDetail(object),
  };
  await recordActivity(tx, { accountId: object.accountId, type: 'object.restored', object, details, actor });
  await recordFileEvent(tx, 'object.restored', object, { actor, isReplaced });
  return object;
}
