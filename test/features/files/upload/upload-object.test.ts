import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

import type { Account } from '#server/domain/account/account.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { abandonReservations } from '#server/features/files/upload/abandon-reservations.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import { reapBlobs } from '#server/domain/jobs/reap-blobs.ts';
import type { IncomingFile } from '#server/domain/incoming-file.ts';
import { blobMarkers } from '#server/feature-parts.ts';
import { checkUpload, uploadObject, type UploadObject } from '#server/features/files/upload/upload-object.ts';
import type { UploadOptions } from '#server/features/files/upload/upload-options.ts';
import { BlobStoreFailed, BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { MetadataFailed, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const noOptions: UploadOptions = {
  name: 'photo',
  prefix: undefined,
  isPrivate: undefined,
  securityHash: undefined,
  expire: undefined,
  overwrite: undefined,
  disposition: undefined,
  cacheControl: undefined,
  metadata: undefined,
};

/** @param atEnd called after the last byte */
function fileOf(bytes: Uint8Array, change: Partial<IncomingFile> = {}, atEnd = () => {}): IncomingFile {
  const source = async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    atEnd();
  };
  return {
    filename: 'photo.png',
    mimeType: 'image/png',
    announcedBytes: bytes.length,
    bytes: source(),
    ...change,
  };
}

/** A file that must not be read, because the upload is rejected before. */
const unread = (change: Partial<IncomingFile> = {}): IncomingFile =>
  fileOf(Buffer.alloc(0), {
    announcedBytes: 1000,
    bytes: (async function* (): AsyncGenerator<Uint8Array> {
      expect.unreachable('the file was read');
      yield Buffer.alloc(0);
    })(),
    ...change,
  });

/** Uploads a larger file over a store of bytes that fails. */
function withBlobs(stores: TestStores, account: Account, failure: Error) {
  const blobs = { put: () => Promise.reject(failure) } as never;
  return upload({ ...stores, blobs }, account, { bytes: randomBytes(20_000) });
}

/** Uploads over a database that fails. */
function withRows(stores: TestStores, account: Account, failure: Error) {
  const metadata = { read: stores.metadata.read, atomically: () => Promise.reject(failure) } as never;
  return upload({ ...stores, metadata }, account);
}

interface Change extends Partial<Omit<UploadObject, 'fields'>> {
  readonly options?: Partial<UploadOptions>;
  readonly bytes?: Uint8Array;
}

async function upload(
  stores: TestStores,
  account: Account,
  { options = {}, bytes = randomBytes(1000), ...change }: Change = {},
) {
  const { caller = { ...(await stores.caller(account)), account }, file = fileOf(bytes) } = change;
  return uploadObject(stores, {
    fields: checkUpload({ ...noOptions, ...options }, file, caller.token),
    checksumSha256: undefined,
    signal: new AbortController().signal,
    actor: systemActor,
    ...change,
    caller,
    file,
  });
}

/** Returns the counters, rows, reservations and blobs of an account. */
async function stateOf(stores: TestStores, { id }: Account) {
  const { usedBytes, usedObjects, reservedBytes } = (await stores.metadata.read.accounts.find(id))!;
  const rows = await stores.metadata.read.objects.scan({ accountId: id, space: 'public', prefix: '', limit: 100 });
  const reservations = await stores.metadata.atomically((tx) => tx.reservations.all());
  return { usedBytes, usedObjects, reservedBytes, keys: rows.map(({ key }) => key), reservations: reservations.length };
}

const nothing = { usedBytes: 0, usedObjects: 0, reservedBytes: 0, keys: [], reservations: 0 };

describe('uploadObject()', () => {
  it.each([512, 16_384, 16_385, 300_000])('stores %i bytes, their row and the usage of the account', async (size) => {
    const stores = await openTestStores();
    const account = await stores.account();
    const bytes = randomBytes(size);
    const { object, isReplaced } = await upload(stores, account, {
      bytes,
      options: { disposition: 'inline', cacheControl: 'max-age=60', metadata: '{"a":"1"}', expire: '7d' },
    });
    expect(isReplaced).toBe(false);
    expect(object).toEqual({
      accountId: account.id,
      space: 'public',
      key: 'photo-ex7.png',
      contentId: expect.stringMatching(/^[a-z0-9]{23}$/),
      sizeBytes: size,
      etag: createHash('md5').update(bytes).digest('hex'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      createdAt: stores.clock.now(),
      expiresAt: stores.clock.now() + 7 * 86_400_000,
      cacheControl: 'max-age=60',
      disposition: 'inline',
      originalName: 'photo.png',
      metadata: { a: '1' },
      clientProperties: null,
      suffix: { hash: null, mark: 'ex7', extension: 'png' },
      generation: expect.stringMatching(/^[a-z2-7]{16}$/),
      versionId: expect.stringMatching(/^[a-z0-9]{23}$/),
    });
    expect(await stores.metadata.read.objects.find(object)).toEqual(object);
    const content = await stores.metadata.read.contents.find(object.contentId);
    expect((await buffer(await readContent(stores, content!))).equals(bytes)).toBe(true);
    expect(await stateOf(stores, account)).toEqual({
      usedBytes: size,
      usedObjects: 1,
      reservedBytes: 0,
      keys: ['photo-ex7.png'],
      reservations: 0,
    });
  });

  it('names a file by prefix, name, hash and extension, and gives every private file a hash', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const keyOf = async (options: Partial<UploadOptions>, file: Partial<IncomingFile> = {}) =>
      (await upload(stores, account, { options, file: fileOf(randomBytes(512), file) })).object;
    expect(await keyOf({ prefix: 'a/b' })).toMatchObject({ space: 'public', key: 'a/b/photo.png' });
    expect((await keyOf({ securityHash: true })).key).toMatch(/^photo_[a-z2-7]{16}\.png$/);
    expect((await keyOf({ securityHash: false })).key).toBe('photo.png');
    expect(await keyOf({ isPrivate: true })).toMatchObject({
      space: 'private',
      key: expect.stringMatching(/^photo_[a-z2-7]{16}\.png$/),
    });
    expect((await keyOf({ isPrivate: true, securityHash: true, expire: '6h' })).key).toMatch(
      /^photo_[a-z2-7]{16}-ex6h\.png$/,
    );
    expect((await keyOf({}, { filename: 'reads.FASTQ.GZ' })).key).toBe('photo.fastq.gz');
    expect((await keyOf({}, { filename: 'scan', mimeType: 'application/pdf' })).key).toBe('photo.pdf');
    expect((await keyOf({}, { filename: 'scan', mimeType: '' })).key).toBe('photo.bin');
  });

  it.each<[string, Change]>([
    ['INVALID_OBJECT_NAME', { options: { name: undefined } }],
    ['INVALID_OBJECT_SECURITY_HASH', { options: { isPrivate: true, securityHash: false } }],
    ['INVALID_OBJECT_EXPIRE', { options: { expire: '1826' } }],
    ['INVALID_OBJECT_EXPIRE', { options: { expire: '' } }],
    ['INVALID_OBJECT_CACHE_CONTROL', { options: { cacheControl: 'private' } }],
    ['INVALID_OBJECT_METADATA', { options: { metadata: '{' } }],
    ['INVALID_OBJECT_METADATA', { options: { metadata: '[]' } }],
    ['INVALID_OBJECT_METADATA', { options: { metadata: 'null' } }],
    ['INVALID_FILE_TYPE', { file: unread({ filename: 'photo.' }) }],
    ['INVALID_FILE_TYPE', { file: unread({ filename: 'photo.p-n-g' }) }],
    ['BLOCKED_FILE_TYPE', { file: unread({ filename: 'setup.EXE' }) }],
    ['BLOCKED_FILE_TYPE', { file: unread({ filename: 'setup.exe.gz' }) }],
    ['BLOCKED_FILE_TYPE', { file: unread({ filename: 'setup', mimeType: 'application/x-msdownload' }) }],
    ['FILE_TOO_LARGE', { file: unread({ announcedBytes: 104_857_601 }) }],
  ])('throws %s for %j before it reads the file', async (code, change) => {
    const stores = await openTestStores();
    const account = await stores.account();
    await expect(upload(stores, account, { file: unread(), ...change })).rejects.toMatchObject({ code });
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it.each([
    ['hobby', { metadata: '{"a":"1"}' }],
    ['standard', { metadata: '{"a":"1"}' }],
    ['pro', { expire: '6d' }],
    ['pro', { expire: '167h' }],
    ['pro', { cacheControl: 'no-cache' }],
  ] as const)('throws UPGRADE_REQUIRED, with words, on the plan %s for %j', async (plan, options) => {
    const stores = await openTestStores();
    const account = await stores.account({ plan });
    await expect(upload(stores, account, { options, file: unread() })).rejects.toMatchObject({
      code: 'UPGRADE_REQUIRED',
      ownMessage: expect.stringContaining('plan'),
    });
  });

  it.each([
    ['pro', { metadata: '{"a":"1"}' }],
    ['hobby', { expire: '7' }],
    ['hobby', { cacheControl: 'immutable' }],
    ['enterprise', { expire: '1h', cacheControl: 'no-cache' }],
  ] as const)('lets %s set %j', async (plan, options) => {
    const stores = await openTestStores();
    await expect(upload(stores, await stores.account({ plan }), { options })).resolves.toBeDefined();
  });

  it('reports a wrong field before a plan that lacks it', async () => {
    const stores = await openTestStores();
    const account = await stores.account({ plan: 'hobby' });
    await expect(
      upload(stores, account, { options: { expire: '6h' }, file: unread({ filename: 'x.exe' }) }),
    ).rejects.toMatchObject({ code: 'BLOCKED_FILE_TYPE' });
  });

  it.each([
    [511, 'FILE_TOO_SMALL'],
    [0, 'FILE_TOO_SMALL'],
  ])('rejects %i bytes: %s', async (size, code) => {
    const stores = await openTestStores();
    const account = await stores.account();
    await expect(upload(stores, account, { bytes: randomBytes(size) })).rejects.toMatchObject({ code });
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it.each([600, 20_000])(
    'throws CHECKSUM_MISMATCH for %i bytes with another checksum than announced, and stores nothing',
    async (size) => {
      const stores = await openTestStores();
      const account = await stores.account();
      const bytes = randomBytes(size);
      await expect(upload(stores, account, { bytes, checksumSha256: '0'.repeat(64) })).rejects.toMatchObject({
        code: 'CHECKSUM_MISMATCH',
      });
      expect(await stateOf(stores, account)).toEqual(nothing);
      await reapBlobs({ ...stores, blobMarkers });
      expect(await Array.fromAsync(stores.blobs.ids())).toEqual([]);
      await upload(stores, account, { bytes, checksumSha256: createHash('sha256').update(bytes).digest('hex') });
    },
  );

  it('replaces the file of the same name, and counts the difference', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const first = await upload(stores, account, { bytes: randomBytes(20_000) });
    stores.clock.advance(1000);
    const second = await upload(stores, account, { bytes: randomBytes(600) });
    expect(second.isReplaced).toBe(true);
    expect(second.object.createdAt).toBe(first.object.createdAt + 1000);
    expect(await stateOf(stores, account)).toMatchObject({ usedBytes: 600, usedObjects: 1, keys: ['photo.png'] });
    expect(await stores.metadata.read.contents.find(first.object.contentId)).toBeUndefined();
    await reapBlobs({ ...stores, blobMarkers });
    expect(await Array.fromAsync(stores.blobs.ids())).toEqual([]);
  });

  it('throws OBJECT_ALREADY_EXISTS for overwrite=false before it reads the file, and changes nothing', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { object } = await upload(stores, account);
    await expect(upload(stores, account, { options: { overwrite: false }, file: unread() })).rejects.toMatchObject({
      code: 'OBJECT_ALREADY_EXISTS',
    });
    expect(await stores.metadata.read.objects.find(object)).toEqual(object);
  });

  it('stores one of several parallel uploads with overwrite=false', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const outcomes = await Promise.allSettled(
      [600, 20_000, 700, 30_000].map((size) =>
        upload(stores, account, { bytes: randomBytes(size), options: { overwrite: false } }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'OBJECT_ALREADY_EXISTS' });
    const { usedBytes, ...state } = await stateOf(stores, account);
    expect(state).toEqual({ usedObjects: 1, reservedBytes: 0, keys: ['photo.png'], reservations: 0 });
    await reapBlobs({ ...stores, blobMarkers });
    expect(await Array.fromAsync(stores.blobs.ids())).toHaveLength(usedBytes > 16_384 ? 1 : 0);
  });

  it('replaces an expired file without reporting a replacement', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const { object } = await upload(stores, account, { options: { expire: '1h' }, bytes: randomBytes(900) });
    stores.clock.advance(3_600_000);
    const again = await upload(stores, account, {
      options: { expire: '1h', overwrite: false },
      bytes: randomBytes(800),
    });
    expect([again.object.key, again.isReplaced]).toEqual([object.key, false]);
    expect(await stateOf(stores, account)).toMatchObject({ usedBytes: 800, usedObjects: 1 });
  });

  it.each([600, 20_000])(
    'uses the last byte of the quota for %i bytes, and throws STORAGE_QUOTA_EXCEEDED one byte short',
    async (size) => {
      const stores = await openTestStores();
      const [enough, short] = [
        await stores.account({ quotaBytes: size }),
        await stores.account({ quotaBytes: size - 1 }),
      ];
      await upload(stores, enough, { bytes: randomBytes(size) });
      await expect(
        upload(stores, enough, { options: { name: 'other' }, bytes: randomBytes(512) }),
      ).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
      await expect(upload(stores, short, { bytes: randomBytes(size) })).rejects.toMatchObject({
        code: 'STORAGE_QUOTA_EXCEEDED',
      });
      expect(await stateOf(stores, short)).toEqual(nothing);
    },
  );

  it('keeps parallel uploads, small and large, within the quota to the byte', async () => {
    const stores = await openTestStores();
    const account = await stores.account({ quotaBytes: 100_000 });
    const sizes = [30_000, 16_000, 30_000, 16_000, 30_000, 16_000, 30_000];
    const outcomes = await Promise.allSettled(
      sizes.map((size, at) => upload(stores, account, { bytes: randomBytes(size), options: { name: `n${at}` } })),
    );
    const stored = sizes.filter((_, at) => outcomes[at]!.status === 'fulfilled').reduce((sum, size) => sum + size, 0);
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect(stored).toBeLessThanOrEqual(100_000);
    expect(await stateOf(stores, account)).toMatchObject({ usedBytes: stored, reservedBytes: 0, reservations: 0 });
  });

  it('stores nothing when the body is malformed after the file', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    for (const size of [600, 20_000]) {
      const file = fileOf(randomBytes(size), {}, () => {
        throw new Refusal('INVALID_CONTENT_TYPE');
      });
      await expect(upload(stores, account, { file })).rejects.toMatchObject({ code: 'INVALID_CONTENT_TYPE' });
    }
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it('stores nothing for a client that has disconnected meanwhile', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    for (const size of [600, 20_000]) {
      const gone = new AbortController();
      const file = fileOf(randomBytes(size), {}, () => gone.abort(new Error('gone')));
      await expect(upload(stores, account, { file, signal: gone.signal })).rejects.toThrow('gone');
    }
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it('throws UPLOAD_FAILED with its cause when a store is broken, and releases the quota', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const [noBlobs, noRows] = [new BlobStoreFailed('broken', undefined), new MetadataFailed('broken', undefined)];
    await expect(withBlobs(stores, account, noBlobs)).rejects.toMatchObject({ code: 'UPLOAD_FAILED', cause: noBlobs });
    await expect(withRows(stores, account, noRows)).rejects.toMatchObject({ code: 'UPLOAD_FAILED', cause: noRows });
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it('stores nothing of a file that another server has given up, and says that it can be sent again', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const bytes = async function* () {
      yield randomBytes(20_000);
      await abandonReservations(stores);
    };
    const file = fileOf(randomBytes(20_000), { bytes: bytes() });
    await expect(upload(stores, account, { file })).rejects.toBeInstanceOf(MetadataUnavailable);
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it('passes on that a store is unavailable, and releases the quota', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const [noBlobs, noRows] = [new BlobStoreUnavailable('away', undefined), new MetadataUnavailable('away', undefined)];
    await expect(withBlobs(stores, account, noBlobs)).rejects.toBe(noBlobs);
    await expect(withRows(stores, account, noRows)).rejects.toBe(noRows);
    expect(await stateOf(stores, account)).toEqual(nothing);
  });

  it('rethrows an unexpected error', async () => {
    const stores = await openTestStores();
    const bug = new TypeError('a bug');
    const ids = {
      ...stores.ids,
      nameHash: () => {
        throw bug;
      },
    };
    await expect(upload({ ...stores, ids }, await stores.account())).rejects.toBe(bug);
  });
});
