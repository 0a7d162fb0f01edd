import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { BlobDamaged, BlobStoreUnavailable, type ByteRange } from '#server/domain/ports/blobs.ts';
import { EncryptedBlobs } from '#server/stores/encrypted/encrypted-blobs.ts';
import { keyEncryptionKey } from '#server/stores/encrypted/key-encryption-key.ts';
import { RootKeyRing } from '#server/stores/encrypted/root-key-ring.ts';
import { openedSize, sealedSegmentBytes, sealedSize, segmentBytes, tagBytes } from '#server/stores/encrypted/sizes.ts';
import { FilesystemBlobStore } from '#server/stores/filesystem/blobs.ts';
import { startGatewayBucket, type GatewayBucket } from '../bucket/gateway-bucket.ts';
import { blobStoreConformance, chunks, collect, newBlobId } from '../blob-store-conformance.ts';
import { encryptedId, encrypting, testRing } from './encrypted-store.ts';

let root: string;
let bucket: GatewayBucket;

beforeAll(async () => void (bucket = await startGatewayBucket()));
afterAll(() => bucket.gateway.stop());
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'cubby-encrypted-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

blobStoreConformance('EncryptedBlobs over files', async () => {
  const files = await FilesystemBlobStore.open(root, { sync: false });
  const store = await encrypting(files);
  const leftovers = async () => (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tmp'));
  return { store, newBlobId: encryptedId, leftovers, close: () => store.close().then(() => files.close()) };
});

blobStoreConformance('EncryptedBlobs over a bucket', async () => {
  const place = bucket.place();
  const inner = bucket.store(place);
  const store = await encrypting(inner);
  const leftovers = () => bucket.leftovers(place);
  return { store, newBlobId: encryptedId, leftovers, close: () => store.close().then(() => inner.close()) };
});

blobStoreConformance('EncryptedBlobs with ids of clear blobs', async () => {
  const files = await FilesystemBlobStore.open(root, { sync: false });
  const store = await encrypting(files);
  return { store, close: () => store.close().then(() => files.close()) };
});

/** A store over files, and the files themselves. */
async function openStore() {
  const files = await FilesystemBlobStore.open(root, { sync: false });
  const { ring, roots } = await testRing();
  const store = new EncryptedBlobs(files, ring);
  const pathOf = (blobId: string) => join(root, blobId.slice(0, 2), blobId);
  const close = async () => {
    await store.close();
    await files.close();
  };
  return { files, ring, roots, store, pathOf, [Symbol.asyncDispose]: close };
}

/** Sizes at the borders of segments and of the memory that an upload has. */
const sizes = [0, 1, 2, 3, 4, 5].flatMap((segments) =>
  [-1, 0, 1].map((more) => segments * segmentBytes + more).filter((size) => size >= 0),
);

const ranged = (bytes: Buffer, { start, end }: ByteRange) => bytes.subarray(start, end + 1);

describe('EncryptedBlobs', () => {
  it.each(sizes)('returns %i bytes and every kind of range of them, and stores no clear byte', async (sizeBytes) => {
    await using opened = await openStore();
    const { store, files, pathOf } = opened;
    const bytes = randomBytes(sizeBytes);
    const blobId = encryptedId();
    await store.put(blobId, chunks([bytes]), { announcedBytes: sizeBytes, isExact: true });
    expect((await buffer(await store.open(blobId))).equals(bytes)).toBe(true);
    const borders = [0, segmentBytes - 1, segmentBytes, 2 * segmentBytes, sizeBytes - 1, sizeBytes + 99_999];
    const places = [...borders, randomInt(sizeBytes + 10), randomInt(sizeBytes + 10)].filter((one) => one >= 0);
    for (const start of places)
      for (const end of places.filter((one) => one >= start)) {
        const range = { start, end };
        const read = await buffer(await store.open(blobId, range));
        expect(read.equals(ranged(bytes, range)), `${sizeBytes} bytes: ${start}-${end}`).toBe(true);
      }
    const kept = await readFile(pathOf(blobId));
    expect(kept.length).toBe(sealedSize(sizeBytes));
    for (let at = 0; at + 16 <= sizeBytes; at += 10_007) expect(kept.includes(bytes.subarray(at, at + 16))).toBe(false);
    expect(await collect(store.ids())).toMatchObject([{ blobId, sizeBytes }]);
    expect(await collect(files.ids())).toMatchObject([{ blobId, sizeBytes: sealedSize(sizeBytes) }]);
  });

  it('detects each cut, wherever it is', async () => {
    await using opened = await openStore();
    const { store, pathOf } = opened;
    const bytes = randomBytes(3 * segmentBytes + 5);
    const blobId = encryptedId();
    await store.put(blobId, chunks([bytes]));
    const whole = await readFile(pathOf(blobId));
    const cuts = [0, 1, 2, 3].flatMap((segment) =>
      [0, 1, tagBytes - 1, tagBytes, tagBytes + 1].map((more) => segment * sealedSegmentBytes + more),
    );
    for (const cut of [...cuts, whole.length - 1].filter((one) => one < whole.length)) {
      await writeFile(pathOf(blobId), whole.subarray(0, cut));
      await expect(readAll(store, blobId), `cut at ${cut}`).rejects.toBeInstanceOf(BlobDamaged);
      const [found] = await collect(store.ids());
      expect(found!.sizeBytes, `cut at ${cut}`).toBeLessThan(bytes.length);
      // A range up to the last byte needs the segment that was cut.
      const last = { start: (Math.ceil(cut / sealedSegmentBytes) - 1) * segmentBytes, end: bytes.length - 1 };
      if (last.start >= 0)
        await expect(readAll(store, blobId, last), `range cut at ${cut}`).rejects.toBeInstanceOf(BlobDamaged);
    }
  });

  it('detects a flipped bit in each segment and tag, and returns the others', async () => {
    await using opened = await openStore();
    const { store, pathOf } = opened;
    const bytes = randomBytes(3 * segmentBytes + 5);
    const blobId = encryptedId();
    await store.put(blobId, chunks([bytes]));
    const whole = await readFile(pathOf(blobId));
    for (let segment = 0; segment < 4; segment++) {
      const end = Math.min((segment + 1) * sealedSegmentBytes, whole.length);
      for (const at of [segment * sealedSegmentBytes, end - tagBytes - 1, end - 1]) {
        const flipped = Buffer.from(whole);
        flipped[at]! ^= 1 << randomInt(8);
        await writeFile(pathOf(blobId), flipped);
        for (let read = 0; read < 4; read++) {
          const range = { start: read * segmentBytes, end: read * segmentBytes + 4 };
          const reading = readAll(store, blobId, range);
          if (read === segment) await expect(reading).rejects.toBeInstanceOf(BlobDamaged);
          else expect((await reading).equals(ranged(bytes, range))).toBe(true);
        }
      }
    }
  });

  it('detects segments that changed places, and bytes of another blob or behind the end', async () => {
    await using opened = await openStore();
    const { store, pathOf } = opened;
    const [one, other] = [encryptedId(), encryptedId()];
    const bytes = randomBytes(3 * segmentBytes);
    await store.put(one, chunks([bytes]));
    await store.put(other, chunks([bytes]));
    const [whole, theirs] = [await readFile(pathOf(one)), await readFile(pathOf(other))];
    const parts = (...order: number[]) =>
      Buffer.concat(order.map((at) => whole.subarray(at * sealedSegmentBytes, (at + 1) * sealedSegmentBytes)));
    const last = sealedSegmentBytes;
    const changed = {
      'segments in another order': parts(1, 0, 2, 3),
      'a segment left out': parts(0, 2, 3),
      'a segment twice': parts(0, 0, 1, 2, 3),
      'the last segment alone': parts(3),
      'the last segment twice': parts(0, 1, 2, 3, 3),
      'bytes behind the end': Buffer.concat([whole, randomBytes(last)]),
      'another blob': theirs,
      'a segment of another blob': Buffer.concat([theirs.subarray(0, last), whole.subarray(last)]),
    };
    for (const [name, kept] of Object.entries(changed)) {
      await writeFile(pathOf(one), kept);
      await expect(readAll(store, one), name).rejects.toBeInstanceOf(BlobDamaged);
    }
  });

  it('encrypts the same bytes of the same blob alike, and those of another blob otherwise', async () => {
    await using opened = await openStore();
    const { store, files, pathOf } = opened;
    const bytes = randomBytes(segmentBytes + 7);
    const [one, other] = [encryptedId(), encryptedId()];
    await store.put(one, chunks([bytes]));
    const first = await readFile(pathOf(one));
    await files.delete(one);
    await store.put(one, chunks([bytes]));
    await store.put(other, chunks([bytes]));
    expect((await readFile(pathOf(one))).equals(first)).toBe(true);
    expect((await readFile(pathOf(other))).equals(first)).toBe(false);
  });

  it('passes clear blobs through, and lists both kinds in order', async () => {
    await using opened = await openStore();
    const { store, files } = opened;
    const clear = newBlobId();
    await store.put(clear, chunks(['clear']));
    expect(String(await buffer(await files.open(clear)))).toBe('clear');
    const hidden = encryptedId();
    await store.put(hidden, chunks(['hidden']));
    expect((await collect(store.ids())).map(({ blobId, sizeBytes }) => [blobId, sizeBytes])).toEqual(
      [[clear, 5] as const, [hidden, 6] as const].sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

  it('seals the bytes of rows, and detects changed ones and those of another row', async () => {
    await using opened = await openStore();
    const { store } = opened;
    const [id, other] = [encryptedId(), encryptedId()];
    for (const sizeBytes of [0, 1, 16_384]) {
      const bytes = randomBytes(sizeBytes);
      const kept = store.sealInline(id, bytes);
      expect(kept.length).toBe(sizeBytes + tagBytes);
      expect(bytes.equals(await store.openInline(id, kept))).toBe(true);
      await expect(store.openInline(other, kept)).rejects.toBeInstanceOf(BlobDamaged);
      await expect(store.openInline(id, kept.subarray(1))).rejects.toBeInstanceOf(BlobDamaged);
      await expect(store.openInline(id, kept.subarray(0, 7))).rejects.toBeInstanceOf(BlobDamaged);
    }
    const clear = newBlobId();
    const bytes = Buffer.from('clear');
    expect(store.sealInline(clear, bytes)).toBe(bytes);
    expect(await store.openInline(clear, bytes)).toBe(bytes);
  });

  it('refuses blobs whose root key it does not have, until the list has it', async () => {
    await using opened = await openStore();
    const { store, files, roots } = opened;
    const id = encryptedId();
    await store.put(id, chunks(['a']));
    const none = new EncryptedBlobs(files, new RootKeyRing(undefined, async () => roots));
    await expect(none.open(id)).rejects.toBeInstanceOf(BlobStoreUnavailable);
    const wrong = new EncryptedBlobs(files, new RootKeyRing(keyEncryptionKey('b'.repeat(32)), async () => roots));
    await expect(wrong.open(id)).rejects.toBeInstanceOf(BlobStoreUnavailable);
    await expect(wrong.openInline(id, Buffer.alloc(20))).rejects.toBeInstanceOf(BlobStoreUnavailable);
    const known = roots.splice(0);
    const late = new EncryptedBlobs(
      files,
      new RootKeyRing(keyEncryptionKey('a key of a test with 32 characters'), async () => roots),
    );
    await expect(late.open(id)).rejects.toBeInstanceOf(BlobStoreUnavailable);
    roots.push(...known);
    expect(String(await buffer(await late.open(id)))).toBe('a');
  });
});

describe('openedSize()', () => {
  it('is the inverse of sealedSize(), and smaller for what was cut', () => {
    for (const sizeBytes of [...sizes, 10_000_000]) {
      const stored = sealedSize(sizeBytes);
      expect(openedSize(stored)).toBe(sizeBytes);
      for (const cut of [1, 15, 16, 17, segmentBytes, sealedSegmentBytes].filter((one) => one <= stored))
        expect(openedSize(stored - cut)).toBeLessThan(sizeBytes);
    }
  });
});

async function readAll(store: EncryptedBlobs, blobId: string, range?: ByteRange): Promise<Buffer> {
  return buffer(await store.open(blobId, range));
}
