import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { buckets, spaceOf } from '../request.ts';
import { element, s3Document } from '../xml.ts';
import { emptyConfiguration } from './configurations.ts';

const region = 'auto';

/** HeadBucket. */
export const headBucket: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  return { status: 200, headers: { 'x-amz-bucket-region': region } };
};

/** GetBucketLocation. */
export const getBucketLocation: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  return { status: 200, body: s3Document('LocationConstraint', region) };
};

/** CreateBucket: there are three, and they are there. */
export const createBucket: S3Operation = async (_context, { bucket }) => {
  if (buckets.has(bucket!)) throw new S3Refusal('BucketAlreadyOwnedByYou', { details: { BucketName: bucket! } });
  if (!/^(?!\d+\.\d+\.\d+\.\d+$)(?!.*(?:\.\.|\.-|-\.))[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket!))
    throw new S3Refusal('InvalidBucketName', { details: { BucketName: bucket! } });
  throw new S3Refusal('AccessDenied', {
    message:
      'Buckets cannot be made here: there are public, private and legacy. Write to one of them, under a prefix where you would have made a bucket.',
  });
};

/** DeleteBucket. */
export const deleteBucket: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  throw new S3Refusal('AccessDenied', {
    message: 'The three buckets belong to the account and cannot be deleted. Delete the files in them.',
  });
};

/** GetBucketRequestPayment. */
export const getBucketRequestPayment = emptyConfiguration('RequestPaymentConfiguration', [
  element('Payer', 'BucketOwner'),
]);
