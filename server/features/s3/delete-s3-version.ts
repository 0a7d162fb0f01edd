import type { Actor } from '#server/domain/activity/activity.ts';
import { findLive } from '#server/features/files/object.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { removeObject } from '#server/features/files/deletion/delete-objects.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { isConditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { purgeVersion, requirePurgeable } from '#server/features/files/purge-version.ts';
import { restoreVersion } from '#server/features/trash/restore-versions.ts';
import { requireS3Met } from './require-conditions.ts';
import { findS3Version, type S3Version } from './versions.ts';

type RestoreIds = Pick<Ids, 'nameHash' | 'orderedId'>;

interface DeleteS3Version extends ObjectAddress {
  readonly versionId: string;
  readonly conditions: WriteConditions;
  readonly actor: Actor;
  /** @see mayPurgeKept */
  readonly mayPurgeKept: boolean;
}

/**
 * Deletes one version for good. If it was the current one, the one before is current again. Deleting the newest delete
 * marker brings its file back.
 *
 * @returns what was deleted. Undefined if there is no such version. That is no error, because a client may delete
 *   again, and a marker is the same row as its version.
 * @throws PreconditionFailed, NoSuchKey, VERSION_KEPT
 */
export async function deleteS3Version(
  tx: Transaction<FileTables>,
  ids: RestoreIds,
  { versionId, conditions, actor, mayPurgeKept, ...address }: DeleteS3Version,
): Promise<S3Version | undefined> {
  const found = await findS3Version(tx, address, versionId, tx.now);
  // A delete marker has no ETag.
  if (isConditional(conditions))
    requireS3Met(found?.kind === 'marker' ? undefined : found?.object, address, conditions);
  if (!found) return undefined;
  if (found.kind === 'kept') {
    requirePurgeable(found.object, tx.now, mayPurgeKept);
    await purgeVersion(tx, found.object, actor);
  } else if (found.kind === 'marker') await removeMarker(tx, ids, found.object, actor);
  else {
    await removeObject(tx, address, actor, { mayKeep: false });
    await restoreNewest(tx, ids, address, actor);
  }
  return found;
}

/** The row of a delete marker is that of its version: without the marker, it is a version that was replaced. */
async function removeMarker(
  tx: Transaction<FileTables>,
  ids: RestoreIds,
  version: Extract<S3Version, { kind: 'marker' }>['object'],
  actor: Actor,
): Promise<void> {
  const newest = await tx.trash.newest(version);
  await tx.trash.setReason(version.accountId, version.versionId, 'replaced');
  if (newest?.versionId === version.versionId && !(await findLive(tx.objects, version, tx.now)))
    await restoreNewest(tx, ids, version, actor);
}

/** Makes the newest version of a key its file again, unless a delete marker stands on it. */
async function restoreNewest(
  tx: Transaction<FileTables>,
  ids: RestoreIds,
  address: ObjectAddress,
  actor: Actor,
): Promise<void> {
  const newest = await tx.trash.newest(address);
  if (newest?.reason !== 'replaced' || newest.purgeAt <= tx.now) return;
  await restoreVersion(tx, ids, newest, { mayReplace: false, keepsVersion: true, actor });
}
