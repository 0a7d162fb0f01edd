import type { Actor } from '#server/domain/activity/activity.ts';
import { removeObject } from '#server/features/files/deletion/delete-objects.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { requireS3Conditions } from './require-conditions.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';

/**
 * Deletes a file. In S3 a missing file is no error, unless a condition asks for one. Returns the file if the trash
 * keeps it.
 *
 * @throws PreconditionFailed, NoSuchKey
 */
export async function deleteS3Object(
  tx: Transaction<FileTables>,
  address: ObjectAddress,
  conditions: WriteConditions,
  actor: Actor,
): Promise<TrashedObject | undefined> {
  await requireS3Conditions(tx, address, conditions);
  const existing = await tx.objects.find(address);
  if (!(await removeObject(tx, address, actor)) || !existing) return undefined;
  return tx.trash.find(address.accountId, existing.versionId);
}
