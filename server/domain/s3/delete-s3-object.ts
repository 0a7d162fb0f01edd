import type { Actor } from '../activity/activity.ts';
import { removeObject } from '../objects/delete-objects.ts';
import type { ObjectAddress } from '../object-id.ts';
import type { Writes } from '../ports/metadata.ts';
import type { WriteConditions } from '../objects/write-conditions.ts';
import { requireS3Conditions } from './require-conditions.ts';
import type { FileTables } from '../objects/table.ts';
import type { TrashedObject } from '../objects/trash-table.ts';

interface Deps {
  readonly metadata: Writes<FileTables>;
}

/**
 * Deletes a file. In S3 a missing file is no error, unless a condition asks for one. Returns the file if the trash
 * keeps it.
 *
 * @throws PreconditionFailed, NoSuchKey
 */
export async function deleteS3Object(
  { metadata }: Deps,
  address: ObjectAddress,
  conditions: WriteConditions,
  actor: Actor,
): Promise<TrashedObject | undefined> {
  return metadata.atomically(
    async (tx) => {
      await requireS3Conditions(tx, address, conditions);
      const existing = await tx.objects.find(address);
      await removeObject(tx, address, actor);
      return existing && tx.trash.find(address.accountId, existing.versionId);
    },
    { account: address.accountId },
  );
}
