import { putS3Object } from '../../put-s3-object.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { checkedBody } from '../body/checked-body.ts';
import { checksumHeaders } from '../checksum-fields.ts';
import type { S3Context, S3Operation } from '../context.ts';
import { uploadReceipt } from '../receipt.ts';
import type { S3Request } from '../request.ts';
import { versionHeaders } from './find-object.ts';
import { encryptionHeaders, writeAddress, writeConditions, writingOf } from '../write-headers.ts';

export const putObject: S3Operation = async (context, request) => {
  requireLength(request);
  return { status: 200, headers: await storeFile(context, request) };
};

/** An upload without a length may have been cut off before its first byte. @throws MissingContentLength */
export function requireLength({ incoming }: Pick<S3Request, 'incoming'>): void {
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined)
    throw new S3Refusal('MissingContentLength');
}

/** The response headers of a file that was stored. */
export type StoredHeaders = Readonly<Record<string, string>> & { readonly ETag: string };

/**
 * Stores the file in a request's body, with the properties that its headers set.
 *
 * @param limited wraps the bytes with further checks
 * @throws the refusals of `writeAddress()`, `checkedBody()`, `writingOf()` and `putS3Object()`
 */
export async function storeFile(
  context: S3Context,
  request: S3Request,
  limited = (bytes: AsyncIterable<Uint8Array>) => bytes,
): Promise<StoredHeaders> {
  const address = writeAddress(context, request);
  const { bytes, checksum } = checkedBody(request);
  const { object } = await putS3Object(context, {
    caller: context.caller,
    address,
    bytes: limited(bytes),
    announcedBytes: request.body.announcedBytes,
    sha256: request.body.sha256,
    writing: writingOf(request),
    checksum() {
      const made = checksum();
      return made && { ...made, type: 'FULL_OBJECT' };
    },
    conditions: writeConditions(request),
    signal: context.signal(),
    actor: context.actor,
  });
  context.noteStored(object.sizeBytes);
  return {
    ETag: `"${object.etag}"`,
    ...checksumHeaders(object.clientProperties?.checksum),
    ...encryptionHeaders(request),
    ...uploadReceipt(context, { ...object, object, at: object.createdAt }),
    ...(await versionHeaders(context, object)),
  };
}
