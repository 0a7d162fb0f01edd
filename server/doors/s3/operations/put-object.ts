import { putS3Object } from '#server/domain/s3/put-s3-object.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { refuseLegacyWrite } from '../guard-s3.ts';
import { checkedBody } from '../integrity.ts';
import { checksumHeaders } from '../object-headers.ts';
import { checkedKey, spaceOf, type S3Request } from '../request.ts';
import { refuseUnknownWishes, writeConditions, writingOf } from '../write-headers.ts';

/** PutObject. */
export const putObject: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  refuseLegacyWrite(request.bucket);
  const key = checkedKey(request.key!);
  refuseUnknownWishes(request, space);
  requireLength(request);
  const { bytes, checksum } = checkedBody(request);
  const { object } = await putS3Object(context, {
    account: context.caller.account,
    address: { accountId: context.caller.account.id, space, key },
    bytes,
    announcedBytes: request.body.announcedBytes,
    writing: writingOf(request),
    checksum,
    conditions: writeConditions(request),
    signal: context.signal,
    actor: context.actor,
  });
  context.noteStored(object.sizeBytes);
  return { status: 200, headers: { ETag: `"${object.etag}"`, ...checksumHeaders(object) } };
};

/** An upload without a word about its length may have been cut off before it began. @throws MissingContentLength */
export function requireLength({ incoming }: Pick<S3Request, 'incoming'>): void {
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) throw new S3Refusal('MissingContentLength');
}
