import { isBlobId } from '#server/domain/blob-id.ts';
import { BucketBlobStore } from '#server/stores/bucket/bucket-blobs.ts';
import { standardOptions, type BucketLocation, type BucketOptions } from '#server/stores/bucket/options.ts';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '#test/s3/small-client.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { newBlobId } from '../blob-store-conformance.ts';

/** The gateway of a Cubby server, used as a bucket. */
export interface GatewayBucket {
  readonly gateway: Gateway;
  /** Returns an empty place in the bucket. */
  place(): BucketLocation;
  /** Returns a store over a place, with short time limits. */
  store(location: BucketLocation, options?: Partial<BucketOptions>): BucketBlobStore;
  /** Returns everything below a place that is not a finished blob. */
  leftovers(location: BucketLocation): Promise<string[]>;
}

/** Short, but longer than a busy machine takes. */
export const shortTimeouts: BucketOptions['timeouts'] = {
  connectMs: 2_000,
  answerMs: 10_000,
  joinedMs: 10_000,
  stallMs: 5_000,
};

/** Starts a server whose S3 gateway is the bucket. The caller stops it. */
export async function startGatewayBucket(): Promise<GatewayBucket> {
  const gateway = await startGateway();
  const { url, accessKeyId, secretAccessKey, client } = gateway;
  return {
    gateway,
    place: () => ({
      endpoint: url,
      bucket: 'private',
      prefix: `test/${newBlobId()}/`,
      isPathStyle: true,
      region: 'auto',
      accessKeyId,
      secretAccessKey,
    }),
    store: (location, options = {}) =>
      new BucketBlobStore(location, { ...standardOptions, timeouts: shortTimeouts, ...options }),
    async leftovers({ bucket: Bucket, prefix: Prefix }) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
      const names = [...Uploads, ...Contents].map(({ Key }) => Key!.slice(Prefix.length));
      return [...names.slice(0, Uploads.length), ...names.slice(Uploads.length).filter((name) => !isBlobId(name))];
    },
  };
}
