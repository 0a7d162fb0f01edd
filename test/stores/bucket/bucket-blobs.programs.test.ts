import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { BlobMissing, BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import { blobStoreConformance, chunks, collect, newBlobId } from '../blob-store-conformance.ts';
import { startGatewayBucket, type GatewayBucket } from './gateway-bucket.ts';
import { PutObjectCommand } from '#test/s3/small-client.ts';

let bucket: GatewayBucket;

beforeAll(async () => void (bucket = await startGatewayBucket()));
afterAll(() => bucket.gateway.stop());

const mib = 1024 * 1024;

function openStore() {
  const place = bucket.place();
  return { place, store: bucket.store(place) };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Yields the bytes in pieces, in memory that is used again. */
async function* pieces(bytes: Uint8Array, pieceBytes = 65_000): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(pieceBytes);
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    memory.set(piece);
    yield memory.subarray(0, piece.byteLength);
    memory.fill(0);
  }
}

blobStoreConformance('BucketBlobStore', async () => {
  const { place, store } = openStore();
  return { store, leftovers: () => bucket.leftovers(place), close: () => store.close() };
});

describe('BucketBlobStore.put()', () => {
  it.each([
    ['in one request, gathered', 700_000, true],
    ['in one request, while they arrive', 5 * mib + 17, true],
    ['in parts, of unknown size', 20 * mib + 5, false],
    ['in parts, of whole parts only', 16 * mib, false],
    ['in parts, while they arrive', 129 * mib, true],
  ])('stores bytes %s', async (_, sizeBytes, isExact) => {
    const { place, store } = openStore();
    const bytes = randomBytes(sizeBytes);
    const blobId = newBlobId();
    const hashes = await store.put(blobId, pieces(bytes), { announcedBytes: isExact ? sizeBytes : undefined, isExact });
    expect(hashes).toEqual({ md5: createHash('md5').update(bytes).digest('hex'), sha256: sha256(bytes) });
    expect(sha256(await buffer(await store.open(blobId)))).toBe(hashes.sha256);
    expect(await bucket.leftovers(place)).toEqual([]);
    await store.close();
  });

  it('refuses an id that is already stored, however its bytes come', async () => {
    const { place, store } = openStore();
    const blobId = newBlobId();
    await store.put(blobId, chunks(['first']));
    for (const [sizeBytes, isExact] of [
      [2 * mib, true],
      [9 * mib, false],
    ] as const) {
      const again = store.put(blobId, pieces(Buffer.alloc(sizeBytes)), { announcedBytes: sizeBytes, isExact });
      await expect(again).rejects.toThrow(`Blob ${blobId} exists already.`);
      await expect(again).rejects.not.toBeInstanceOf(BlobStoreFailed);
    }
    expect(String(await buffer(await store.open(blobId)))).toBe('first');
    expect(await bucket.leftovers(place)).toEqual([]);
    await store.close();
  });

  it.each([-1, 1])('rejects a source of a known size that yields %i bytes more', async (more) => {
    const { place, store } = openStore();
    const blobId = newBlobId();
    const put = store.put(blobId, pieces(Buffer.alloc(3 * mib + more)), { announcedBytes: 3 * mib, isExact: true });
    await expect(put).rejects.toThrow(/than it announced/);
    await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
    expect(await bucket.leftovers(place)).toEqual([]);
    await store.close();
  });

  it.each([
    [3 * mib, true],
    [20 * mib, false],
  ])('passes on an error of the source of %i bytes, and leaves nothing behind', async (sizeBytes, isExact) => {
    const { place, store } = openStore();
    const error = new Error('broken');
    const source = (async function* () {
      yield* pieces(Buffer.alloc(sizeBytes - 100));
      throw error;
    })();
    const blobId = newBlobId();
    await expect(store.put(blobId, source, { announcedBytes: sizeBytes, isExact })).rejects.toBe(error);
    await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobMissing);
    expect(await bucket.leftovers(place)).toEqual([]);
    await store.close();
  });
});

describe('many uploads of unknown size', () => {
  it('end although their parts need more memory than all of them may take', async () => {
    const { place, store } = openStore();
    const bytes = randomBytes(12 * mib);
    const blobIds = Array.from({ length: 24 }, newBlobId);
    const puts = blobIds.map((blobId) => store.put(blobId, pieces(bytes, 300_000), { wantsSha256: false }));
    const hashes = await Promise.all(puts);
    expect(new Set(hashes.map(({ md5 }) => md5)).size).toBe(1);
    expect((await collect(store.ids())).map(({ blobId }) => blobId)).toEqual(blobIds.sort());
    expect(await bucket.leftovers(place)).toEqual([]);
    await store.close();
  });
});

describe('BucketBlobStore.open()', () => {
  it('rejects with BlobMissing before the first byte', async () => {
    const { store } = openStore();
    await expect(store.open(newBlobId())).rejects.toBeInstanceOf(BlobMissing);
    await expect(store.open('../secret')).rejects.toThrow('is not a blob id');
    await store.close();
  });

  it('yields nothing for a range behind the end', async () => {
    const { store } = openStore();
    const blobId = newBlobId();
    await store.put(blobId, chunks(['0123456789']));
    expect(await buffer(await store.open(blobId, { start: 10, end: 20 }))).toHaveLength(0);
    await store.close();
  });
});

describe('BucketBlobStore.ids()', () => {
  it('yields blobs with their age, over several pages, and skips other names', async () => {
    const { place, store } = openStore();
    const stored = Array.from({ length: 1_005 }, newBlobId).sort();
    for (let at = 0; at < stored.length; at += 50)
      await Promise.all(stored.slice(at, at + 50).map((blobId) => store.put(blobId, chunks(['a']))));
    for (const Key of ['notes.txt', `${newBlobId()}/x`, `x${newBlobId()}`])
      await bucket.gateway.client.send(
        new PutObjectCommand({ Bucket: place.bucket, Key: place.prefix + Key, Body: 'x' }),
      );
    const found = await collect(store.ids());
    expect(found.map(({ blobId }) => blobId)).toEqual(stored);
    for (const { ageMs } of found) expect(ageMs).toBeGreaterThan(-2_000);
    expect(Math.max(...found.map(({ ageMs }) => ageMs))).toBeLessThan(120_000);
    await store.close();
  });
});

describe('BucketBlobStore.abortUploads()', () => {
  it('aborts uploads that are old, and only those', async () => {
    const { place, store } = openStore();
    let finish = () => {};
    const halfWay = Promise.withResolvers<void>();
    const put = store.put(
      newBlobId(),
      (async function* () {
        yield* pieces(Buffer.alloc(9 * mib));
        halfWay.resolve();
        await new Promise<void>((resolve) => (finish = resolve));
      })(),
    );
    await halfWay.promise;
    await expect.poll(() => bucket.leftovers(place)).toHaveLength(1);
    expect(await store.abortUploads(60_000)).toBe(0);
    expect(await store.abortUploads(-10_000)).toBe(1);
    expect(await bucket.leftovers(place)).toEqual([]);
    finish();
    await expect(put).rejects.toBeInstanceOf(BlobStoreFailed);
    await store.close();
  });
});
