import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import { typesOf } from '#server/domain/checksums/whole-checksum.ts';
import type { UploadEvent } from '#server/features/uploads/chunked-upload.ts';
import { parsePartNumber, type PartNumber } from '#server/features/uploads/part-number.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { findS3Upload, type S3Upload } from '../find-s3-upload.ts';
import { maxS3PartNumber } from '../limits.ts';
import { S3Refusal } from '../s3-refusal.ts';
import { chosenAlgorithm } from './checksum-fields.ts';
import type { S3Context } from './context.ts';
import { invalidArgument } from './errors.ts';
import { addressOf, parameter, type Headers, type S3Request } from './request.ts';

/** Finds the upload that a request names, ready for an event. @throws NoSuchUpload, NoSuchBucket */
export async function uploadOf(context: S3Context, request: S3Request, event: UploadEvent): Promise<S3Upload> {
  const uploadId = parameter(request, 'uploadId') ?? '';
  const { caller } = context;
  try {
    return await findS3Upload(context, caller, { ...addressOf(caller, request), uploadId }, event);
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'INVALID_UPLOAD_TOKEN'))
      throw new S3Refusal('NoSuchUpload', { details: { UploadId: uploadId } });
    throw error;
  }
}

/** Returns the number of the part that a request names. @throws InvalidArgument */
export function partNumberOf(request: S3Request): PartNumber {
  return readPartNumber(parameter(request, 'partNumber') ?? '');
}

/** Reads the number of a part, in S3's limits. @param text as it was sent @throws InvalidArgument */
export function readPartNumber(text: string, given: string | number = text): PartNumber {
  const number = parsePartNumber(given, maxS3PartNumber);
  if (number === undefined)
    throw invalidArgument(
      'partNumber',
      `Part number must be an integer between 1 and ${maxS3PartNumber}, inclusive`,
      text,
    );
  return number;
}

/** Returns the checksum that a new upload is to have, or null for none. @throws InvalidRequest */
export function chosenChecksum(request: Pick<Headers, 'header'>): Pick<Checksum, 'algorithm' | 'type'> | null {
  const algorithm = chosenAlgorithm(request);
  const type = request.header('x-amz-checksum-type')?.toUpperCase();
  if (algorithm === undefined) {
    if (type === undefined) return null;
    throw new S3Refusal('InvalidRequest', {
      message: 'x-amz-checksum-type needs x-amz-checksum-algorithm beside it.',
    });
  }
  const types = typesOf(algorithm);
  const chosen = type === undefined ? types[0] : types.find((one) => one === type);
  if (chosen === undefined)
    throw new S3Refusal('InvalidRequest', {
      message: `x-amz-checksum-type must be ${types.join(' or ')} for ${algorithm}.`,
    });
  return { algorithm, type: chosen };
}
