import { S3Client } from '#test/s3/small-client.ts';

/** A bucket and the key pair that may use it. */
export interface BucketAccess {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A client for a bucket. */
export function clientOf({ endpoint, region, accessKeyId, secretAccessKey }: BucketAccess): S3Client {
  return new S3Client({ url: endpoint, region, accessKeyId, secretAccessKey });
}
