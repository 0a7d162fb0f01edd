import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import type { S3Request } from '../request.ts';
import { storeFile } from './store-file.ts';

/** PutObject. */
export const putObject: S3Operation = async (context, request) => {
  requireLength(request);
  return { status: 200, headers: await storeFile(context, request) };
};

/** An upload without a length may have been cut off before its first byte. @throws MissingContentLength */
export function requireLength({ incoming }: Pick<S3Request, 'incoming'>): void {
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined)
    throw new S3Refusal('MissingContentLength');
}
