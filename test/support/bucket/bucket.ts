import { randomBytes } from 'node:crypto';

import { DeleteObjectsCommand, GetObjectCommand, S3Error, paginateListObjectsV2 } from '#test/s3/small-client.ts';
import { askSharedServer } from '#test/support/ask-shared-server.ts';
import type { StoredBlobs } from '#test/support/stored.ts';
import { clientOf, type BucketAccess } from './access.ts';

/** An empty place in the run's bucket. */
export interface TestBucket {
  /** The settings of a server that stores its larger files there. */
  readonly settings: Readonly<Record<string, string>>;
  /** What lies there, read past the server's own code. */
  readonly blobs: StoredBlobs;
  /** Deletes everything there. */
  remove(): Promise<void>;
}

/** Returns a place of its own. The first call in a run of tests also starts the server. */
export async function freshBucket(): Promise<TestBucket> {
  return bucketAt(await askSharedServer('bucket'));
}

/** Returns a place of its own in this bucket. */
export function bucketAt(access: BucketAccess): TestBucket {
  const prefix = `test-${randomBytes(8).toString('hex')}/`;
  const client = clientOf(access);
  const Bucket = access.bucket;
  const sizes = async () => {
    const found = new Map<string, number>();
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
      for (const { Key, Size } of Contents) found.set(Key!.slice(prefix.length), Size!);
    return found;
  };
  const query = new URLSearchParams({ endpoint: access.endpoint, region: access.region });
  return {
    settings: {
      CUBBY_BLOBS_URL: `s3://${Bucket}/${prefix.slice(0, -1)}?${query}`,
      CUBBY_BLOBS_ACCESS_KEY_ID: access.accessKeyId,
      CUBBY_BLOBS_SECRET_ACCESS_KEY: access.secretAccessKey,
    },
    blobs: {
      sizes,
      async read(id) {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + id }));
          return Buffer.from(await Body!.transformToByteArray());
        } catch (error) {
          if (error instanceof S3Error && error.name === 'NoSuchKey') return undefined;
          throw error;
        }
      },
    },
    async remove() {
      const names = [...(await sizes()).keys()];
      while (names.length > 0) {
        const Objects = names.splice(0, 1000).map((name) => ({ Key: prefix + name }));
        await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
      }
      client.destroy();
    },
  };
}
