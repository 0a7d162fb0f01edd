import type { Actor } from '../activity/activity.ts';
import { removeObject } from '../objects/delete-objects.ts';
import type { ObjectAddress } from '../object-id.ts';
import type { Writes } from '../ports/metadata.ts';
import { requireConditions, type WriteConditions } from './write-conditions.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'contents' | 'objects'>;
}

/**
 * Deletes a file. That there is none is no error in S3, unless a condition asks for one.
 *
 * @throws PreconditionFailed, NoSuchKey
 */
export async function deleteS3Object(
  { metadata }: Deps,
  address: ObjectAddress,
  conditions: WriteConditions,
  actor: Actor,
): Promise<void> {
  await metadata.atomically(async (tx) => {
    await requireConditions(tx, address, conditions);
    await removeObject(tx, address, actor);
  });
}
