import { S3Client } from '@aws-sdk/client-s3';

/** A bucket and the key pair that may use it. */
export interface BucketAccess {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A client of the AWS SDK for a bucket. */
export function clientOf({ endpoint, region, accessKeyId, secretAccessKey }: BucketAccess): S3Client {
  return new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
}
