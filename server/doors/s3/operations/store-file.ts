import { putS3Object } from '#server/domain/s3/put-s3-object.ts';
import { checksumHeaders } from '../checksum-names.ts';
import type { S3Context } from '../context.ts';
import { refuseLegacyWrite } from '../guard-s3.ts';
import { checkedBody } from '../integrity.ts';
import { checkedKey, spaceOf, type S3Request } from '../request.ts';
import { refuseUnknownWishes, writeConditions, writingOf } from '../write-headers.ts';

/** What is answered of a file that was stored, whichever way it came. */
export type StoredHeaders = Readonly<Record<string, string>> & { readonly ETag: string };

/**
 * Stores the file that a request brings, as its headers say.
 *
 * @param limited the bytes with whatever else is asked of them while they flow
 * @throws NoSuchBucket, AccessDenied, KeyTooLongError and whatever its headers or bytes are refused for
 */
export async function storeFile(
  context: S3Context,
  request: S3Request,
  limited = (bytes: AsyncIterable<Uint8Array>) => bytes,
): Promise<StoredHeaders> {
  const space = spaceOf(request.bucket);
  refuseLegacyWrite(request.bucket);
  const key = checkedKey(request.key!);
  refuseUnknownWishes(request, space, context.caller.account.id);
  const { bytes, checksum } = checkedBody(request);
  const { object } = await putS3Object(context, {
    caller: context.caller,
    address: { accountId: context.caller.account.id, space, key },
    bytes: limited(bytes),
    announcedBytes: request.body.announcedBytes,
    writing: writingOf(request),
    checksum,
    conditions: writeConditions(request),
    signal: context.signal,
    actor: context.actor,
  });
  context.noteStored(object.sizeBytes);
  return { ETag: `"${object.etag}"`, ...checksumHeaders(object.clientProperties?.checksum) };
}
