import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { BlobMissing, BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { BucketBlobStore } from '#server/stores/bucket/bucket-blobs.ts';
import { standardOptions, type BucketLocation } from '#server/stores/bucket/options.ts';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '#test/s3/small-client.ts';
import { noRadosgw, startRadosgw, type Radosgw } from '#test/support/radosgw/radosgw.ts';
import { blobStoreConformance, chunks, newBlobId } from '../blob-store-conformance.ts';
import { shortTimeouts } from './gateway-bucket.ts';

const missing = process.env.CUBBY_TEST_LONG === '1' ? noRadosgw() : 'only in the long run';
const mib = 1024 * 1024;

describe.skipIf(missing)(`a bucket of Ceph${missing ? ` (skipped: ${missing})` : ''}`, { timeout: 240_000 }, () => {
  let ceph: Radosgw;
  let client: S3Client;

  beforeAll(async () => {
    ceph = await startRadosgw();
    client = new S3Client({
      url: ceph.endpoint,
      region: 'default',
      accessKeyId: ceph.accessKey,
      secretAccessKey: ceph.secretKey,
    });
    await client.send(new CreateBucketCommand({ Bucket: 'cubby' }));
  }, 240_000);
  afterAll(() => ceph?.stop());

  const place = (): BucketLocation => ({
    endpoint: ceph.endpoint,
    bucket: 'cubby',
    prefix: `test/${newBlobId()}/`,
    isPathStyle: true,
    region: 'default',
    accessKeyId: ceph.accessKey,
    secretAccessKey: ceph.secretKey,
  });

  async function leftovers({ prefix: Prefix }: BucketLocation): Promise<string[]> {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'cubby', Prefix }));
    return Uploads.map(({ Key }) => Key!);
  }

  blobStoreConformance('BucketBlobStore over Ceph', async () => {
    const location = place();
    const store = new BucketBlobStore(location);
    return { store, leftovers: () => leftovers(location), close: () => store.close() };
  });

  it.each([
    ['while they arrive', 5 * mib + 17, true],
    ['in parts', 20 * mib + 5, false],
    ['in parts of a large known size', 129 * mib, true],
  ])('stores bytes %s', async (_, sizeBytes, isExact) => {
    const location = place();
    const store = new BucketBlobStore(location);
    const bytes = randomBytes(sizeBytes);
    const blobId = newBlobId();
    const hashes = await store.put(blobId, chunks([bytes]), { announcedBytes: sizeBytes, isExact });
    expect(hashes.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await buffer(await store.open(blobId))).equals(bytes)).toBe(true);
    const again = store.put(blobId, chunks([bytes]), { announcedBytes: sizeBytes, isExact });
    await expect(again).rejects.toThrow('exists already');
    expect(await leftovers(location)).toEqual([]);
    await store.close();
  });

  it('serves a blob at an address that is signed, with the type and the name in it', async () => {
    const store = new BucketBlobStore(place());
    const blobId = newBlobId();
    await store.put(blobId, chunks(['0123456789']));
    const presented = {
      contentType: 'image/png',
      disposition: `attachment; filename*=UTF-8''%C3%9C%20b.png`,
      cacheControl: 'private, no-cache',
    };
    const response = await fetch(store.addressOf(blobId, presented, 60)!, { headers: { Range: 'bytes=2-4' } });
    expect([response.status, await response.text()]).toEqual([206, '234']);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe(presented.disposition);
    await store.close();
  });

  it('is given up while it hangs, and is back by itself without losing anything', async () => {
    const store = new BucketBlobStore(place(), { ...standardOptions, timeouts: { ...shortTimeouts, answerMs: 1_000 } });
    const blobId = newBlobId();
    await store.put(blobId, chunks(['a']));
    ceph.hang();
    const openings = await Promise.allSettled(Array.from({ length: 8 }, () => store.open(blobId)));
    for (const opening of openings)
      expect(opening).toMatchObject({ status: 'rejected', reason: expect.any(BlobStoreUnavailable) });
    expect(store.isDown).toBe(true);
    ceph.resume();
    await expect.poll(() => store.isDown, { timeout: 60_000 }).toBe(false);
    expect(String(await buffer(await store.open(blobId)))).toBe('a');
    await expect(store.open(newBlobId())).rejects.toBeInstanceOf(BlobMissing);
    await store.close();
  });
});
