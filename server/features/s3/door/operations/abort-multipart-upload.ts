import { abortChunkedUpload } from '#server/features/uploads/abort-chunked-upload.ts';
import type { S3Operation } from '../context.ts';
import { uploadOf } from '../multipart.ts';

/** AbortMultipartUpload. @throws NoSuchUpload also for an upload that was aborted before */
export const abortMultipartUpload: S3Operation = async (context, request) => {
  const { lookup } = await uploadOf(context, request, 'status');
  await abortChunkedUpload(context, lookup, context.actor);
  return { status: 204 };
};
