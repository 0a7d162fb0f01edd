import type { UploadEvent } from '#server/domain/chunked/chunked-upload.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { checksumAlgorithms, type ChecksumAlgorithm, type ChecksumType } from '#server/domain/checksums/algorithms.ts';
import { typesOf } from '#server/domain/checksums/whole-checksum.ts';
import { maxS3PartNumber } from '#server/domain/s3/limits.ts';
import { findS3Upload } from '#server/domain/s3/find-s3-upload.ts';
import type { ListedUpload } from '#server/domain/chunked/listed-upload.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Context } from './context.ts';
import { parameter, spaceOf, type S3Request } from './request.ts';
import { element, type Xml } from './xml.ts';

/** What the operations of multipart uploads read from their requests. */

/** The file that a request is about. @throws NoSuchBucket */
export function addressOf({ caller }: Pick<S3Context, 'caller'>, { bucket, key }: S3Request): ObjectAddress {
  return { accountId: caller.account.id, space: spaceOf(bucket), key: key! };
}

/** The upload that a request is about. @throws NoSuchUpload */
export async function uploadOf(
  context: S3Context,
  request: S3Request,
  event: UploadEvent,
): ReturnType<typeof findS3Upload> {
  const uploadId = uploadIdOf(request);
  try {
    return await findS3Upload(context, context.caller, uploadId, addressOf(context, request), event);
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'INVALID_UPLOAD_TOKEN'))
      throw new S3Refusal('NoSuchUpload', { details: { UploadId: uploadId } });
    throw error;
  }
}

export function uploadIdOf(request: S3Request): string {
  return parameter(request, 'uploadId') ?? '';
}

/** @throws InvalidArgument */
export function partNumberOf(request: S3Request): number {
  const text = parameter(request, 'partNumber') ?? '';
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > maxS3PartNumber) {
    throw new S3Refusal('InvalidArgument', {
      message: `Part number must be an integer between 1 and ${maxS3PartNumber}, inclusive`,
      details: { ArgumentName: 'partNumber', ArgumentValue: text },
    });
  }
  return number;
}

/** A count from 0 to `most`, which is also what a larger one means. @throws InvalidArgument */
export function countOf(text: string | undefined, name: string, most: number): number {
  if (text === undefined || text === '') return most;
  if (!/^[0-9]{1,10}$/.test(text))
    throw new S3Refusal('InvalidArgument', {
      message: `${name} must be a number from 0 to ${most}.`,
      details: { ArgumentName: name, ArgumentValue: text },
    });
  return Math.min(Number(text), most);
}

/** The checksum that an upload is begun with. @throws InvalidRequest */
export function chosenChecksum({ header }: S3Request): ListedUpload['checksum'] {
  const algorithm = header('x-amz-checksum-algorithm')?.toUpperCase();
  const type = header('x-amz-checksum-type')?.toUpperCase();
  if (algorithm === undefined) {
    if (type !== undefined)
      throw new S3Refusal('InvalidRequest', {
        message: 'x-amz-checksum-type needs x-amz-checksum-algorithm beside it.',
      });
    return null;
  }
  if (!isAlgorithm(algorithm))
    throw new S3Refusal('InvalidRequest', {
      message: `x-amz-checksum-algorithm is one of ${checksumAlgorithms.join(', ')}.`,
    });
  const types = typesOf(algorithm);
  if (type !== undefined && !isType(type, types))
    throw new S3Refusal('InvalidRequest', { message: `The checksum type of ${algorithm} is ${types.join(' or ')}.` });
  return { algorithm, type: type ?? types[0]! };
}

function isAlgorithm(text: string): text is ChecksumAlgorithm {
  return (checksumAlgorithms as readonly string[]).includes(text);
}

function isType(text: string, types: readonly ChecksumType[]): text is ChecksumType {
  return (types as readonly string[]).includes(text);
}

/** Which checksum an upload was begun with, as answers say it. */
export function choiceElements({ checksum }: ListedUpload): Xml[] {
  return checksum ? [element('ChecksumAlgorithm', checksum.algorithm), element('ChecksumType', checksum.type)] : [];
}
