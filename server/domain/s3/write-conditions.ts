import type { ObjectAddress } from '../object-id.ts';
import { isExpired, type StoredObject } from '../objects/object.ts';
import type { Transaction } from '../ports/metadata.ts';
import { S3Refusal } from './s3-refusal.ts';

/** On what a write depends; undefined where it does not. */
export interface WriteConditions {
  /** Only where no file has one of these ETags, without quotes; `*` is any, so that nothing may be there. */
  readonly ifNoneMatch: readonly string[] | undefined;
  /** Only over a file with one of these ETags, without quotes; `*` is any. */
  readonly ifMatch: readonly string[] | undefined;
}

/** A write that goes over whatever is there. */
export const unconditional: WriteConditions = { ifNoneMatch: undefined, ifMatch: undefined };

/**
 * Asks the conditions of a write, in the transaction that writes, and answers the file that is there.
 *
 * @throws PreconditionFailed, NoSuchKey when a file must be there and none is
 */
export async function requireConditions(
  tx: Transaction<'objects'>,
  address: ObjectAddress,
  { ifNoneMatch, ifMatch }: WriteConditions,
): Promise<StoredObject | undefined> {
  const found = await tx.objects.find(address);
  const existing = found && !isExpired(found, tx.now) ? found : undefined;
  if (ifNoneMatch && existing && names(ifNoneMatch, existing))
    throw new S3Refusal('PreconditionFailed', { details: { Condition: 'If-None-Match' } });
  if (ifMatch === undefined) return existing;
  if (!existing) throw new S3Refusal('NoSuchKey', { details: { Key: address.key } });
  if (!names(ifMatch, existing)) throw new S3Refusal('PreconditionFailed', { details: { Condition: 'If-Match' } });
  return existing;
}

function names(etags: readonly string[], { etag }: StoredObject): boolean {
  return etags.includes('*') || etags.includes(etag);
}
