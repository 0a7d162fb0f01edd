import type { Actor } from '../activity/activity.ts';
import { removeObject } from '../objects/delete-objects.ts';
import type { ObjectAddress } from '../objects/id.ts';
import type { Metadata } from '../ports/metadata.ts';
import { requireConditions, type WriteConditions } from './write-conditions.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
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
