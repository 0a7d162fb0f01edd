import { formatUploadHandle } from '#server/features/uploads/handle.ts';
import { startS3Upload } from '../../start-s3-upload.ts';
import type { S3Operation } from '../context.ts';
import { chosenChecksum } from '../multipart.ts';
import { encryptionHeaders, writeAddress, writeConditions, writingOf } from '../write-headers.ts';
import { xmlReply } from '../xml.ts';

export const createMultipartUpload: S3Operation = async (context, request) => {
  const address = writeAddress(context, request);
  const checksum = chosenChecksum(request);
  const upload = await startS3Upload(context, {
    account: context.caller.account,
    address,
    writing: writingOf(request),
    checksum,
    conditions: writeConditions(request),
    actor: context.actor,
  });
  return xmlReply(
    'InitiateMultipartUploadResult',
    { Bucket: request.bucket, Key: address.key, UploadId: formatUploadHandle(context.secrets, upload) },
    {
      ...(checksum && { 'x-amz-checksum-algorithm': checksum.algorithm, 'x-amz-checksum-type': checksum.type }),
      ...encryptionHeaders(request),
    },
  );
};
