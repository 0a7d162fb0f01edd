import { S3Refusal } from '../../s3-refusal.ts';
import type { S3Operation } from '../context.ts';
import { buckets, spaceOf } from '../request.ts';
import { xmlReply } from '../xml.ts';
import { fixedConfiguration } from './configurations.ts';

const region = 'auto';

export const headBucket: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  return { status: 200, headers: { 'x-amz-bucket-region': region } };
};

export const getBucketLocation: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  return xmlReply('LocationConstraint', region);
};

/** CreateBucket, which always refuses, because the three buckets exist. */
export const createBucket: S3Operation = async (_context, { bucket = '' }) => {
  const details = { BucketName: bucket };
  if (buckets.has(bucket)) throw new S3Refusal('BucketAlreadyOwnedByYou', { details });
  if (!/^(?!\d+\.\d+\.\d+\.\d+$)(?!.*(?:\.\.|\.-|-\.))[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new S3Refusal('InvalidBucketName', { details });
  throw new S3Refusal('AccessDenied', {
    message:
      'Buckets cannot be created here. There are public, private and legacy. Write to one of them, under a ' +
      'prefix for each bucket you need.',
  });
};

/** DeleteBucket, which always refuses. */
export const deleteBucket: S3Operation = async (_context, { bucket }) => {
  spaceOf(bucket);
  throw new S3Refusal('AccessDenied', {
    message: 'The three buckets belong to the account and cannot be deleted. Delete the files in them.',
  });
};

export const getBucketRequestPayment = fixedConfiguration('RequestPaymentConfiguration', { Payer: 'BucketOwner' });
