import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { completeChunkedUpload } from '#server/features/uploads/complete-chunked-upload.ts';
import { RunningHashCache } from '#server/features/uploads/running-hash.ts';
import { hashContents } from '#server/features/files/hash-contents.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import { MetadataFull } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';
import { Uploads } from './uploads.ts';

const part = 5_242_880;

async function opened() {
  const stores = await openTestStores();
  const account = await stores.account();
  const uploads = new Uploads(stores, account);
  const handle = await uploads.start();
  return { stores, account, uploads, handle };
}

const sha256 = (...pieces: Uint8Array[]) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex');

/** Completes the same uploads as after a restart, with nothing in memory. Records the blobs that it opens. */
function restarted(uploads: Uploads, open = uploads.stores.blobs.open.bind(uploads.stores.blobs)) {
  const opens: string[] = [];
  const blobs = { open: (blobId: string) => (opens.push(blobId), open(blobId)) };
  const hashes = new RunningHashCache();
  const complete = async (handle: string, checksumSha256?: string) =>
    (
      await completeChunkedUpload(
        { ...uploads.deps, hashes, blobs },
        { ...(await uploads.named(handle)), checksumSha256, actor: systemActor },
      )
    ).outcome;
  return { opens, complete };
}

describe('completeChunkedUpload()', () => {
  it.each<[string, number[], string]>([
    ['2', [2], 'Part 1 is missing'],
    ['1, 3', [1, 3], 'Part 2 is missing'],
    ['2048', [2048], 'Part 1 is missing'],
    ['1, 2, 5, 7', [1, 2, 5, 7], 'Part 3 is missing'],
  ])('throws INVALID_CHUNK_PART for the parts %s, and names the first gap', async (_, parts, words) => {
    const { uploads, handle } = await opened();
    await uploads.fake(handle, parts, part);
    await expect(uploads.complete(handle)).rejects.toMatchObject({
      code: 'INVALID_CHUNK_PART',
      ownMessage: expect.stringContaining(words),
    });
  });

  it("throws CHUNK_TOO_SMALL with the part's number, but accepts a last part of any size", async () => {
    const { uploads, handle } = await opened();
    await uploads.fake(handle, [1], part - 1);
    await uploads.fake(handle, [2], part);
    await expect(uploads.complete(handle)).rejects.toMatchObject({
      code: 'CHUNK_TOO_SMALL',
      ownMessage: expect.stringContaining('Part 1 has 5242879 bytes'),
    });
    await uploads.fake(handle, [1], part);
    await uploads.fake(handle, [2], 1);
    await uploads.fake(handle, [3], 1);
    await expect(uploads.complete(handle)).rejects.toMatchObject({
      code: 'CHUNK_TOO_SMALL',
      ownMessage: expect.stringContaining('Part 2 has 1 bytes'),
    });
  });

  it.each([
    [511, 'FILE_TOO_SMALL'],
    [512, undefined],
  ])('checks the minimum size: for %i bytes throws %s', async (size, code) => {
    const { uploads, handle } = await opened();
    await uploads.put(handle, 1, randomBytes(size));
    if (code) await expect(uploads.complete(handle)).rejects.toMatchObject({ code });
    else expect((await uploads.complete(handle)).outcome.sizeBytes).toBe(size);
  });

  it('throws NO_CHUNKS_UPLOADED, and OBJECT_ALREADY_EXISTS at the end only, and stays open', async () => {
    const { uploads } = await opened();
    const [first, second] = [await uploads.start({ overwrite: false }), await uploads.start({ overwrite: false })];
    await expect(uploads.complete(first)).rejects.toMatchObject({ code: 'NO_CHUNKS_UPLOADED' });
    for (const handle of [first, second]) await uploads.put(handle, 1, randomBytes(600));
    await uploads.complete(first);
    await expect(uploads.complete(second)).rejects.toMatchObject({ code: 'OBJECT_ALREADY_EXISTS' });
    expect((await uploads.status(second)).sizeBytes).toBe(600);
    expect(await uploads.reservedBytes()).toBe(600);
  });

  it('makes a file of 2,048 parts in any order without reading one, and leaves its SHA-256 to the job', async () => {
    const { stores, account, uploads, handle } = await opened();
    const numbers = Array.from(
      { length: 2048 },
      (_, at) => ((at * 1000 + 7) % 2048 === 0 ? 2048 : (at * 1001 + 7) % 2048) || 2048,
    );
    const order = [...new Set([...numbers, ...Array.from({ length: 2048 }, (_, at) => at + 1)])];
    await uploads.fake(handle, order, part);
    const { opens, complete } = restarted(uploads);
    expect(await complete(handle)).toMatchObject({
      sizeBytes: 2048 * part,
      parts: 2048,
      sha256: null,
      expiresAt: null,
    });
    expect(opens).toEqual([]);
    expect(uploads.unhashed).toBe(1);
    const md5 = createHash('md5');
    for (let number = 1; number <= 2048; number++) md5.update(number.toString(16).padStart(32, '0'), 'hex');
    const address = { accountId: account.id, space: 'public', key: 'big.bin' } as const;
    expect(await stores.metadata.read.objects.find(address)).toMatchObject({
      etag: `${md5.digest('hex')}-2048`,
      sizeBytes: 2048 * part,
    });
    expect(await stores.metadata.read.accounts.find(account.id)).toMatchObject({
      usedBytes: 2048 * part,
      usedObjects: 1,
      reservedBytes: 0,
    });
  });

  it('reads nothing when the parts came in order, and reads the rest when one was sent again', async () => {
    const { uploads, handle } = await opened();
    const bytes = [randomBytes(part), randomBytes(part), randomBytes(20_000)];
    for (const [at, piece] of bytes.entries()) await uploads.put(handle, at + 1, piece);
    expect(uploads.hashes.known(handle.split('.')[0]!, (await uploads.status(handle)).parts)).toBe(sha256(...bytes));
    const again = randomBytes(part);
    await uploads.put(handle, 2, again);
    expect(uploads.hashes.known(handle.split('.')[0]!, (await uploads.status(handle)).parts)).toBeUndefined();
    expect((await uploads.complete(handle)).outcome.sha256).toBe(sha256(bytes[0]!, again, bytes[2]!));
  });

  it('knows after a restart whether the parts came in order, and then reads them', async () => {
    const { uploads, handle } = await opened();
    // Parts that are only rows could not be read. Three real ones pass 64 MiB.
    const bytes = [randomBytes(22_400_000), randomBytes(22_400_000), randomBytes(22_400_000)];
    for (const [at, piece] of bytes.entries()) await uploads.put(handle, at + 1, piece);
    const { opens, complete } = restarted(uploads);
    expect((await complete(handle)).sha256).toBe(sha256(...bytes));
    expect(opens).toHaveLength(3);
    expect(uploads.unhashed).toBe(0);
  });

  it('throws CHECKSUM_MISMATCH, stays open, and reads nothing twice when it is called again', async () => {
    const { uploads, handle } = await opened();
    const bytes = [randomBytes(part), randomBytes(30_000)];
    await uploads.put(handle, 2, bytes[1]!);
    await uploads.put(handle, 1, bytes[0]!);
    const { opens, complete } = restarted(uploads);
    await expect(complete(handle, '0'.repeat(64))).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    expect((await uploads.status(handle)).parts).toHaveLength(2);
    expect((await complete(handle, sha256(...bytes))).sha256).toBe(sha256(...bytes));
    expect(opens).toHaveLength(2);
  });

  it('checks the checksum of a second call against the stored one, and returns the outcome', async () => {
    const { uploads, handle } = await opened();
    const bytes = randomBytes(20_000);
    await uploads.put(handle, 1, bytes);
    const { outcome } = await uploads.complete(handle);
    await expect(uploads.complete(handle, '0'.repeat(64))).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
      ownMessage: expect.stringContaining('stored'),
    });
    for (const checksum of [undefined, sha256(bytes)])
      expect((await uploads.complete(handle, checksum)).outcome).toEqual(outcome);
  });

  it('returns the outcome for any checksum of a second call when the file was stored without one', async () => {
    const { uploads, handle } = await opened();
    await uploads.fake(handle, [2, 1, 3], 33_554_432);
    const { outcome } = await uploads.complete(handle);
    expect(outcome.sha256).toBeNull();
    expect((await uploads.complete(handle, '0'.repeat(64))).outcome).toEqual(outcome);
  });

  it('uses the final parts when one is replaced while they are read', async () => {
    const { uploads, handle } = await opened();
    const bytes = [randomBytes(part), randomBytes(30_000)];
    await uploads.put(handle, 2, bytes[1]!);
    await uploads.put(handle, 1, bytes[0]!);
    const last = randomBytes(40_000);
    let isReplaced = false;
    const { complete } = restarted(uploads, async (blobId) => {
      if (!isReplaced) {
        isReplaced = true;
        await uploads.put(handle, 2, last);
      }
      return uploads.stores.blobs.open(blobId);
    });
    expect(await complete(handle)).toMatchObject({ sizeBytes: part + 40_000, sha256: sha256(bytes[0]!, last) });
    expect(await uploads.reservedBytes()).toBe(0);
  });

  it('throws UPLOAD_FAILED when the parts cannot be read, stays open, and can be tried again', async () => {
    const { uploads, handle } = await opened();
    const bytes = [randomBytes(part), randomBytes(30_000)];
    await uploads.put(handle, 2, bytes[1]!);
    await uploads.put(handle, 1, bytes[0]!);
    const cause = new BlobStoreFailed('gone', undefined);
    await expect(restarted(uploads, () => Promise.reject(cause)).complete(handle)).rejects.toMatchObject({
      code: 'UPLOAD_FAILED',
      cause,
    });
    expect((await uploads.complete(handle)).outcome.sha256).toBe(sha256(...bytes));
  });

  it('throws UPLOAD_FAILED when the disk of the database is full, because it brings no bytes', async () => {
    const { uploads, handle } = await opened();
    await uploads.put(handle, 1, randomBytes(20_000));
    const cause = new MetadataFull(new Error('ENOSPC'));
    const metadata = { ...uploads.deps.metadata, atomically: () => Promise.reject(cause) };
    const command = { ...(await uploads.named(handle)), checksumSha256: undefined, actor: systemActor };
    await expect(completeChunkedUpload({ ...uploads.deps, metadata }, command)).rejects.toMatchObject({
      code: 'UPLOAD_FAILED',
      cause,
    });
    expect((await uploads.complete(handle)).outcome.sizeBytes).toBe(20_000);
  });

  it('makes one file of parallel calls, and returns the same outcome to each', async () => {
    const { stores, account, uploads, handle } = await opened();
    await uploads.put(handle, 1, randomBytes(20_000));
    const outcomes = await Promise.all([1, 2, 3].map(async () => (await uploads.complete(handle)).outcome));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    const activity = await stores.metadata.read.activity.scan({ accountId: account.id, limit: 10 });
    expect(activity.map(({ type }) => type)).toEqual(['chunked.completed', 'chunked.started']);
    expect(activity[0]!.details).toEqual({ size: 20_000, replaced: false, parts: 1 });
  });
});

describe('hashContents()', () => {
  it('writes the missing SHA-256 to all rows of a content, even when another content cannot be read', async () => {
    const { stores, account, uploads } = await opened();
    const bytes = randomBytes(30_000);
    const add = async (key: string, blobs: Array<{ blobId: string; sizeBytes: number; inline: Uint8Array | null }>) => {
      const sizeBytes = blobs.reduce((sum, blob) => sum + blob.sizeBytes, 0);
      const row = {
        accountId: account.id,
        space: 'public',
        key,
        suffix: { hash: null, mark: null, extension: '' },
        generation: key,
        versionId: 'version-1',
        contentId: stores.ids.opaqueId(),
        sizeBytes,
        etag: 'e',
        sha256: null,
        createdAt: 0,
        expiresAt: null,
        cacheControl: null,
        disposition: null,
        originalName: null,
        metadata: {},
        clientProperties: null,
      } as const;
      await stores.metadata.atomically(async (tx) => {
        await tx.contents.add({ id: row.contentId, sizeBytes, crc32: 1, blobs });
        await tx.objects.put(row);
      });
      return row;
    };
    const blobId = stores.ids.opaqueId();
    await stores.blobs.put(
      blobId,
      (async function* () {
        yield bytes;
      })(),
    );
    for (const name of ['x', 'y', 'z'])
      await add(name, [{ blobId: stores.ids.opaqueId(), sizeBytes: 9, inline: null }]);
    const row = await add('whole', [
      { blobId, sizeBytes: 30_000, inline: null },
      { blobId: 'none', sizeBytes: 3, inline: Buffer.from('end') },
    ]);
    await stores.metadata.atomically(async (tx) => {
      await tx.contents.share(row.contentId);
      await tx.objects.put({ ...row, key: 'copy' });
    });
    await expect(hashContents({ metadata: stores.metadata, blobs: stores.blobs })).rejects.toMatchObject({
      name: 'BlobMissing',
    });
    const hashOf = async (key: string) => (await stores.metadata.read.objects.find({ ...row, key }))!.sha256;
    expect([await hashOf('whole'), await hashOf('copy'), await hashOf('x')]).toEqual([
      sha256(bytes, Buffer.from('end')),
      sha256(bytes, Buffer.from('end')),
      null,
    ]);

    for (const key of ['x', 'y', 'z'])
      await stores.metadata.atomically(
        async (tx) => void (await tx.contents.release((await tx.objects.remove({ ...row, key }))!.contentId)),
      );
    expect(await hashContents({ metadata: stores.metadata, blobs: stores.blobs })).toBe(0);
    expect(uploads.unhashed).toBe(0);
  });

  it('leaves the rest unhashed when the server stops', async () => {
    const { stores, uploads, handle } = await opened();
    await uploads.fake(handle, [2, 1, 3], 33_554_432);
    await uploads.complete(handle);
    const stopped = new AbortController();
    stopped.abort();
    expect(await hashContents({ metadata: stores.metadata, blobs: stores.blobs, signal: stopped.signal })).toBe(0);
  });
});
