import type { ObjectAddress } from '../object-id.ts';
import { findLive, type StoredObject } from '../objects/object.ts';
import type { Transaction } from '../ports/metadata.ts';
import { S3Refusal } from './s3-refusal.ts';

/** The conditions of a write. `undefined` for those that it does not have. */
export interface WriteConditions {
  /** Writes only if no file has one of these ETags, without quotes. `*` stands for any, so nothing may be there. */
  readonly ifNoneMatch: readonly string[] | undefined;
  /** Writes only over a file with one of these ETags, without quotes. `*` stands for any. */
  readonly ifMatch: readonly string[] | undefined;
}

/** A write that replaces any file. */
export const unconditional: WriteConditions = { ifNoneMatch: undefined, ifMatch: undefined };

/**
 * Checks the conditions of a write, in the transaction that writes.
 *
 * @throws PreconditionFailed
 * @throws NoSuchKey if a file must be there and none is
 */
export async function requireConditions(
  tx: Transaction<'objects'>,
  address: ObjectAddress,
  { ifNoneMatch, ifMatch }: WriteConditions,
): Promise<void> {
  if (!ifNoneMatch && !ifMatch) return;
  const existing = await findLive(tx.objects, address, tx.now);
  if (ifNoneMatch && existing && names(ifNoneMatch, existing))
    throw new S3Refusal('PreconditionFailed', { details: { Condition: 'If-None-Match' } });
  if (ifMatch === undefined) return;
  if (!existing) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
  if (!names(ifMatch, existing)) throw new S3Refusal('PreconditionFailed', { details: { Condition: 'If-Match' } });
}

function names(etags: readonly string[], { etag }: StoredObject): boolean {
  return etags.includes('*') || etags.includes(etag);
}
