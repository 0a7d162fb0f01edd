import type { ObjectAddress } from '#server/domain/object-id.ts';
import { findLive, type StoredObject } from '#server/features/files/object.ts';
import { isConditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { unmetCondition } from '#server/features/files/write-conditions.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { S3Refusal } from './s3-refusal.ts';

/**
 * Checks the conditions of a write over S3, in the transaction that writes.
 *
 * @throws PreconditionFailed
 * @throws NoSuchKey if a file must be there and none is
 */
export async function requireS3Conditions(
  tx: Transaction<'objects'>,
  address: ObjectAddress,
  conditions: WriteConditions,
): Promise<void> {
  if (!isConditional(conditions)) return;
  requireS3Met(await findLive(tx.objects, address, tx.now), address, conditions);
}

/**
 * Checks the conditions of a write over S3 about a file that readers see.
 *
 * @throws PreconditionFailed
 * @throws NoSuchKey if a file must be there and none is
 */
export function requireS3Met(
  existing: StoredObject | undefined,
  address: ObjectAddress,
  conditions: WriteConditions,
): void {
  const unmet = unmetCondition(existing, conditions);
  if (unmet === undefined) return;
  if (!existing) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
  throw new S3Refusal('PreconditionFailed', { details: { Condition: unmet } });
}
