import { formatUploadHandle } from '#server/domain/chunked/handle.ts';
import { startS3Upload } from '#server/domain/s3/start-s3-upload.ts';
import type { S3Operation } from '../context.ts';
import { refuseLegacyWrite } from '../guard-s3.ts';
import { addressOf, chosenChecksum } from '../multipart.ts';
import { checkedKey, spaceOf } from '../request.ts';
import { refuseUnknownWishes, writingOf } from '../write-headers.ts';
import { element, s3Document } from '../xml.ts';

/** CreateMultipartUpload. */
export const createMultipartUpload: S3Operation = async (context, request) => {
  const space = spaceOf(request.bucket);
  const key = checkedKey(request.key!);
  refuseLegacyWrite(request.bucket);
  refuseUnknownWishes(request, space, context.caller.account.id);
  const checksum = chosenChecksum(request);
  const upload = await startS3Upload(context, {
    account: context.caller.account,
    address: addressOf(context, request),
    writing: writingOf(request),
    checksum,
    actor: context.actor,
  });
  const xml = s3Document('InitiateMultipartUploadResult', [
    element('Bucket', request.bucket!),
    element('Key', key),
    element('UploadId', formatUploadHandle(context.secrets, upload)),
  ]);
  return {
    status: 200,
    body: xml,
    headers: checksum ? { 'x-amz-checksum-algorithm': checksum.algorithm, 'x-amz-checksum-type': checksum.type } : {},
  };
};
