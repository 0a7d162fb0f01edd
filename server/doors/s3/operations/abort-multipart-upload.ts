import { abortChunkedUpload } from '#server/domain/chunked/abort-chunked-upload.ts';
import type { S3Operation } from '../context.ts';
import { uploadIdOf, uploadOf } from '../multipart.ts';

/** AbortMultipartUpload; of one that is aborted already it says that there is none. */
export const abortMultipartUpload: S3Operation = async (context, request) => {
  await uploadOf(context, request, 'status');
  await abortChunkedUpload(context, { caller: context.caller, handle: uploadIdOf(request), actor: context.actor });
  return { status: 204 };
};
