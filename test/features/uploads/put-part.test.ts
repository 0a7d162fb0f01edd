import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { abortIdleUploads } from '#server/features/uploads/abort-idle-uploads.ts';
import type { PutPart } from '#server/features/uploads/put-part.ts';
import { abandonReservations } from '#server/features/files/upload/abandon-reservations.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import { BlobStoreFailed } from '#server/domain/ports/blobs.ts';
import { formatUploadHandle } from '#server/features/uploads/handle.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { inPieces, Uploads } from './uploads.ts';

async function opened(quotaBytes?: number) {
  const stores = await openTestStores();
  const account = await stores.account(quotaBytes === undefined ? {} : { quotaBytes });
  const uploads = new Uploads(stores, account);
  return { stores, account, uploads, handle: await uploads.start() };
}

/** Returns the ids of the files in the blob store, after it has removed those to delete. */
async function filesOf(stores: TestStores): Promise<string[]> {
  await reapBlobs({ ...stores, blobMarkers });
  return Array.fromAsync(stores.blobs.ids(), ({ blobId }) => blobId);
}

/** A body that must not be read, because the part is rejected before. */
const unread = (announcedBytes: number): PutPart['body'] => ({
  announcedBytes,
  bytes: (async function* (): AsyncGenerator<Uint8Array> {
    expect.unreachable('the body was read');
    yield Buffer.alloc(0);
  })(),
});

async function* breakingOff(bytes: Uint8Array, error: Error): AsyncGenerator<Uint8Array> {
  yield* inPieces(bytes);
  throw error;
}

describe('putPart()', () => {
  it.each([
    [1, 1],
    [1, 16_384],
    [1, 16_385],
    [7, 1],
    [7, 16_384],
    [7, 200_000],
  ])(
    'stores part %i of %i bytes, in its row if it is part 1 and small, and counts it as reserved only',
    async (part, size) => {
      const { stores, uploads, handle } = await opened();
      const bytes = randomBytes(size);
      const stored = await uploads.put(handle, part, bytes);
      expect(stored).toMatchObject({
        part,
        blob: { sizeBytes: size },
        md5: createHash('md5').update(bytes).digest('hex'),
      });
      expect(await uploads.reservedBytes()).toBe(size);
      expect(await stores.metadata.atomically((tx) => tx.reservations.all())).toEqual([]);
      expect(await filesOf(stores)).toHaveLength(part > 1 || size > 16_384 ? 1 : 0);
      // A restart gives up parts that are under way, and no stored ones.
      expect(await abandonReservations(stores)).toBe(0);
      expect((await uploads.status(handle)).sizeBytes).toBe(size);
    },
  );

  it.each([
    [20_000, 30_000],
    [30_000, 20_000],
    [100, 30_000],
    [30_000, 100],
    [100, 200],
  ])('replaces a part of %i bytes by one of %i, and keeps only the bytes of the new one', async (first, second) => {
    const { stores, uploads, handle } = await opened();
    await uploads.put(handle, 1, randomBytes(first));
    await uploads.put(handle, 1, randomBytes(second));
    expect(await uploads.status(handle)).toMatchObject({
      parts: [{ part: 1, blob: { sizeBytes: second } }],
      sizeBytes: second,
    });
    expect(await uploads.reservedBytes()).toBe(second);
    expect(await filesOf(stores)).toHaveLength(second > 16_384 ? 1 : 0);
  });

  it.each<[string, Partial<PutPart> & { readonly handle?: string }]>([
    ['CHUNK_TOO_LARGE', { body: unread(33_554_433) }],
    ['EMPTY_CHUNK', { body: unread(0) }],
    ['STORAGE_QUOTA_EXCEEDED', { body: unread(50_001) }],
    ['INVALID_UPLOAD_TOKEN', { handle: 'no handle', body: unread(10) }],
    ['INVALID_UPLOAD_TOKEN', { handle: 'no handle', body: unread(0) }],
  ])('throws %s before it reads the body', async (code, change) => {
    const { uploads, handle } = await opened(50_000);
    await expect(uploads.put(handle, 1, Buffer.alloc(0), change)).rejects.toMatchObject({ code });
    expect(await uploads.reservedBytes()).toBe(0);
  });

  it.each<[string, (bytes: Uint8Array) => Partial<PutPart>]>([
    [
      'CHECKSUM_MISMATCH',
      (bytes) => ({ checksumSha256: createHash('sha256').update(bytes).update('x').digest('hex') }),
    ],
    ['EMPTY_CHUNK', () => ({ body: { announcedBytes: undefined, bytes: inPieces(Buffer.alloc(0)) } })],
    ['STORAGE_QUOTA_EXCEEDED', () => ({ body: { announcedBytes: undefined, bytes: inPieces(randomBytes(150_000)) } })],
    [
      'CHUNK_TOO_LARGE',
      () => ({ body: { announcedBytes: undefined, bytes: inPieces(Buffer.alloc(33_554_433), 1 << 20) } }),
    ],
  ])('throws %s, keeps the earlier part, and leaves no file behind', async (code, change) => {
    const { stores, account, uploads, handle } = await opened();
    await stores.metadata.atomically((tx) =>
      tx.accounts.setQuota(account.id, code === 'CHUNK_TOO_LARGE' ? 1e9 : 100_000),
    );
    const first = randomBytes(20_000);
    await uploads.put(handle, 1, first);
    const before = await uploads.status(handle);
    const bytes = randomBytes(30_000);
    await expect(uploads.put(handle, 1, bytes, change(bytes))).rejects.toMatchObject({ code });
    expect(await uploads.status(handle)).toEqual(before);
    expect(await uploads.reservedBytes()).toBe(20_000);
    expect(await filesOf(stores)).toEqual([before.parts[0]!.blob.blobId]);
  });

  it('compares the checksum with the bytes of each part alone', async () => {
    const { uploads, handle } = await opened();
    for (const part of [1, 2, 5]) {
      const bytes = randomBytes(20_000);
      await uploads.put(handle, part, bytes, { checksumSha256: createHash('sha256').update(bytes).digest('hex') });
    }
    expect((await uploads.status(handle)).parts).toHaveLength(3);
  });

  it.each([10_000, 40_000])(
    'rethrows an error of the body after %i bytes, and keeps the earlier part',
    async (size) => {
      const { stores, uploads, handle } = await opened();
      await uploads.put(handle, 1, randomBytes(20_000));
      const before = await uploads.status(handle);
      const gone = new Error('The client has gone away.');
      await expect(
        uploads.put(handle, 1, Buffer.alloc(0), {
          body: { announcedBytes: 60_000, bytes: breakingOff(randomBytes(size), gone) },
        }),
      ).rejects.toBe(gone);
      expect(await uploads.status(handle)).toEqual(before);
      expect(await uploads.reservedBytes()).toBe(20_000);
      expect(await filesOf(stores)).toHaveLength(1);
    },
  );

  it('throws UPLOAD_FAILED with the cause when the blob store fails, and changes nothing', async () => {
    const { uploads, handle } = await opened();
    const cause = new BlobStoreFailed('full', undefined);
    const blobs = { put: () => Promise.reject(cause) };
    await expect(uploads.put(handle, 1, randomBytes(20_000), { blobs })).rejects.toMatchObject({
      code: 'UPLOAD_FAILED',
      cause,
    });
    expect(await uploads.reservedBytes()).toBe(0);
  });

  it.each(['complete', 'abort'] as const)(
    'throws UPLOAD_NOT_FOUND for a part that arrives after %s, and keeps nothing of it',
    async (close) => {
      const { stores, uploads, handle } = await opened();
      await uploads.put(handle, 1, randomBytes(20_000));
      const late = async function* () {
        yield randomBytes(20_000);
        await (close === 'complete' ? uploads.complete(handle) : uploads.abort(handle));
        yield randomBytes(20_000);
      };
      await expect(
        uploads.put(handle, 2, Buffer.alloc(0), { body: { announcedBytes: 40_000, bytes: late() } }),
      ).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
      expect(await uploads.reservedBytes()).toBe(0);
      expect(await filesOf(stores)).toHaveLength(close === 'complete' ? 1 : 0);
    },
  );

  it.each([0, 3_600_000, 12 * 3_600_000 - 1])(
    'stores a part that began %i ms before the 24 hours were over and arrived after them',
    async (beforeMs) => {
      const { stores, uploads, handle } = await opened();
      stores.clock.advance(86_399_999 - beforeMs);
      const slow = async function* () {
        yield randomBytes(20_000);
        stores.clock.advance(11 * 3_600_000);
        expect(await abortIdleUploads(stores, stores.clock.now())).toBe(0);
        yield randomBytes(20_000);
      };
      await uploads.put(handle, 1, Buffer.alloc(0), { body: { announcedBytes: 40_000, bytes: slow() } });
      expect((await uploads.status(handle)).sizeBytes).toBe(40_000);
    },
  );

  it('does not keep an upload open for a part that is rejected before its body is read', async () => {
    const { stores, uploads, handle } = await opened(50_000);
    stores.clock.advance(86_399_999);
    await expect(uploads.put(handle, 1, Buffer.alloc(0), { body: unread(50_001) })).rejects.toMatchObject({
      code: 'STORAGE_QUOTA_EXCEEDED',
    });
    stores.clock.advance(1);
    await expect(uploads.put(handle, 1, Buffer.alloc(0), { body: unread(10) })).rejects.toMatchObject({
      code: 'UPLOAD_NOT_FOUND',
    });
  });

  it.each([
    [30_000, true],
    [30_000, false],
    [100, true],
    [20_000, false],
  ])(
    'replaces 30,000 bytes by %i (announced: %s) when the quota is below the stored bytes',
    async (size, isAnnounced) => {
      const { stores, account, uploads, handle } = await opened();
      await uploads.put(handle, 1, randomBytes(30_000));
      await uploads.put(handle, 2, randomBytes(30_000));
      await stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 10_000));
      const bytes = randomBytes(size);
      await uploads.put(handle, 1, bytes, {
        body: { announcedBytes: isAnnounced ? size : undefined, bytes: inPieces(bytes) },
      });
      expect(await uploads.reservedBytes()).toBe(30_000 + size);
      for (const announcedBytes of [size + 1, undefined]) {
        const larger = { announcedBytes, bytes: inPieces(randomBytes(size + 1)) };
        await expect(uploads.put(handle, 1, Buffer.alloc(0), { body: larger })).rejects.toMatchObject({
          code: 'STORAGE_QUOTA_EXCEEDED',
        });
      }
      await expect(uploads.put(handle, 3, randomBytes(1))).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
      expect(await uploads.reservedBytes()).toBe(30_000 + size);
      expect(await filesOf(stores)).toHaveLength(size > 16_384 ? 2 : 1);
    },
  );

  it('throws FILE_TOO_LARGE for any byte beyond the cap of the rule, even with parallel parts', async () => {
    const { stores, account, uploads } = await opened();
    await stores.metadata.atomically((tx) =>
      tx.rules.replaceAll(account.id, [
        {
          prefix: 'small/',
          isPrivate: null,
          expire: null,
          maxSizeBytes: 60_000,
          extensions: null,
          cacheControl: null,
          deleteAfterDays: null,
          keepDeletedDays: null,
          keepVersions: null,
          createdAt: 0,
        },
      ]),
    );
    const handle = await uploads.start({ prefix: 'small' });
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((part) => uploads.put(handle, part, randomBytes(20_000))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'FILE_TOO_LARGE', prefix: 'small/' },
    });
    expect(await uploads.reservedBytes()).toBe(60_000);
    const { parts } = await uploads.status(handle);
    await uploads.put(handle, parts[0]!.part, randomBytes(20_000));
    await expect(uploads.put(handle, parts[0]!.part, Buffer.alloc(0), { body: unread(20_001) })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    expect(await filesOf(stores)).toHaveLength(3);
  });

  it('throws STORAGE_QUOTA_EXCEEDED when parallel parts exceed the quota, even if none holds any', async () => {
    const { uploads, handle } = await opened(35_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => uploads.put(handle, at + 1, randomBytes(10_000))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'STORAGE_QUOTA_EXCEEDED' },
    });
    expect(await uploads.reservedBytes()).toBe(30_000);
  });

  it('throws FILE_TOO_LARGE beyond 10 GiB', async () => {
    const { uploads, handle } = await opened();
    await uploads.fake(
      handle,
      Array.from({ length: 320 }, (_, at) => at + 1),
      33_554_432,
    );
    await expect(uploads.put(handle, 321, Buffer.alloc(0), { body: unread(1) })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    await uploads.put(handle, 320, randomBytes(10));
    await uploads.put(handle, 321, randomBytes(10));
  });

  it('throws INVALID_UPLOAD_TOKEN for a forged upload, and for one of another account or token', async () => {
    const { stores, account, uploads, handle } = await opened();
    const other = new Uploads(stores, await stores.account());
    const id = handle.split('.')[0]!;
    for (const wrong of [
      `${id}.${'a'.repeat(43)}`,
      `${handle}a`,
      handle.toUpperCase(),
      id,
      '',
      formatUploadHandle(stores.secrets, { id, accountId: '1'.repeat(18) }),
    ]) {
      await expect(uploads.put(wrong, 1, randomBytes(9)), wrong).rejects.toMatchObject({
        code: 'INVALID_UPLOAD_TOKEN',
      });
    }
    await expect(other.put(handle, 1, randomBytes(9))).rejects.toMatchObject({ code: 'INVALID_UPLOAD_TOKEN' });
    const token = {
      id: 'other',
      accountId: account.id,
      keyId: 'key',
      pins: {},
      createdAt: 0,
      expiresAt: 0,
      maxUses: 1,
      usesLeft: 0,
      endedAt: null,
    };
    await expect(
      uploads.put(handle, 1, randomBytes(9), { caller: await uploads.caller({ token }) }),
    ).rejects.toMatchObject({ code: 'INVALID_UPLOAD_TOKEN' });
    await expect(
      uploads.put(handle, 1, randomBytes(9), { caller: await uploads.caller({ prefixes: ['a'] }) }),
    ).rejects.toMatchObject({ code: 'PREFIX_NOT_ALLOWED' });
    const missing = formatUploadHandle(stores.secrets, { id: stores.ids.opaqueId(), accountId: account.id });
    await expect(uploads.put(missing, 1, randomBytes(9))).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  });
});
