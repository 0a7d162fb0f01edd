import { describe, expect, it } from 'vitest';

import { startChunkedUpload } from '#server/features/uploads/start-chunked-upload.ts';
import { readUploadOptions } from '#server/features/files/upload/upload-options.ts';
import { abortIdleUploads } from '#server/features/uploads/abort-idle-uploads.ts';
import { forgetClosedUploads } from '#server/features/uploads/forget-closed-uploads.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { someBytes } from '#test/support/files.ts';
import { openTestStores } from '#test/support/stores.ts';
import { noOptions, Uploads } from './uploads.ts';

const dayMs = 86_400_000;
const gibibyte = 1_073_741_824;

async function opened(quotaBytes?: number) {
  const stores = await openTestStores();
  const account = await stores.account(quotaBytes === undefined ? {} : { quotaBytes });
  return { stores, account, uploads: new Uploads(stores, account) };
}

/** Makes a token with this many uses, of a key of the account. */
async function withToken(
  { stores, account, uploads }: Awaited<ReturnType<typeof opened>>,
  usesLeft: number,
  pins: UploadToken['pins'] = {},
) {
  const now = stores.clock.now();
  const { key } = await uploads.caller();
  const token: UploadToken = {
    id: stores.ids.opaqueId(),
    accountId: account.id,
    keyId: key.id,
    pins,
    createdAt: now,
    expiresAt: now + 900_000,
    maxUses: usesLeft,
    usesLeft,
    endedAt: null,
  };
  await stores.metadata.atomically((tx) => tx.uploadTokens.add(token, Buffer.from(token.id)));
  return { token, caller: await uploads.caller({ token }) };
}

describe('startChunkedUpload()', () => {
  it.each([
    [undefined, null, 10 * gibibyte],
    [5_000_000, null, 5_000_000],
    [5_000_000, 4_000_000, 4_000_000],
    [0, null, 0],
  ])('with %s bytes of quota and a cap of %s lets the file grow to %i', async (quotaBytes, capBytes, expected) => {
    const { stores, account, uploads } = await opened(quotaBytes);
    await stores.metadata.atomically((tx) =>
      tx.rules.replaceAll(account.id, [
        {
          prefix: 'a/',
          isPrivate: true,
          expire: { hours: 240 },
          maxSizeBytes: capBytes,
          extensions: null,
          cacheControl: 'max-age=60',
          deleteAfterDays: null,
          keepDeletedDays: null,
          keepVersions: null,
          createdAt: 0,
        },
      ]),
    );
    const started = await startChunkedUpload(stores, {
      caller: await uploads.caller(),
      fields: readUploadOptions({ ...noOptions, prefix: 'a' }, { filename: 'x.tar.gz', mimeType: '' }),
      filename: 'x.tar.gz',
      sizeBytes: undefined,
      actor: systemActor,
    });
    expect(started.maxObjectBytes).toBe(expected);
    expect(started.upload.resolved).toMatchObject({
      address: { space: 'private', key: expect.stringMatching(/^a\/big_[a-z2-7]{16}-ex10\.tar\.gz$/) },
      expire: { hours: 240 },
      cacheControl: 'max-age=60',
    });
  });

  it('checks an announced size against quota and cap at once, and holds nothing for it', async () => {
    const { uploads } = await opened(1_000_000);
    await expect(uploads.start({}, { sizeBytes: 1_000_001 })).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    await uploads.start({}, { sizeBytes: 1_000_000 });
    expect(await uploads.reservedBytes()).toBe(0);
  });

  it('spends a use of an upload token in the same transaction, and none when it throws', async () => {
    const world = await opened();
    const { token, caller } = await withToken(world, 2, { maxSizeBytes: 1000 });
    const left = async () => (await world.stores.metadata.read.uploadTokens.find(token.id))!.usesLeft;
    await expect(world.uploads.start({}, { caller, sizeBytes: 1001 })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    expect(await left()).toBe(2);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => world.uploads.start({}, { caller, sizeBytes: 600 })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'UPLOAD_TOKEN_USED' },
    });
    expect(await left()).toBe(0);
  });

  it('throws TOO_MANY_OPEN_UPLOADS at the 33rd, which spends no use', async () => {
    const world = await opened();
    const { token, caller } = await withToken(world, 40);
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => world.uploads.start({}, { caller })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(32);
    expect(
      outcomes.filter((one) => one.status === 'rejected' && one.reason.code === 'TOO_MANY_OPEN_UPLOADS'),
    ).toHaveLength(8);
    expect((await world.stores.metadata.read.uploadTokens.find(token.id))!.usesLeft).toBe(8);
  });

  it('throws ACCESS_DENIED for a token that ended, or whose key was revoked, since the request came in', async () => {
    const world = await opened();
    const { caller } = await withToken(world, 9);
    await world.stores.metadata.atomically((tx) => tx.apiKeys.revoke(caller.key.id, world.stores.clock.now()));
    await expect(world.uploads.start({}, { caller })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const second = await opened();
    const late = await withToken(second, 9);
    second.stores.clock.advance(900_000);
    await expect(second.uploads.start({}, { caller: late.caller })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});

describe('abortIdleUploads()', () => {
  it('aborts uploads that were idle for 24 hours, as the system, frees their parts, and keeps the others', async () => {
    const { stores, account, uploads } = await opened();
    const [idle, active] = [await uploads.start({ name: 'idle' }), await uploads.start({ name: 'active' })];
    await uploads.put(idle, 1, someBytes(20_000));
    stores.clock.advance(1000);
    await uploads.put(active, 1, someBytes(600));
    stores.clock.advance(dayMs - 1001);
    expect(await abortIdleUploads(stores, stores.clock.now())).toBe(0);
    stores.clock.advance(1);
    expect(
      await Promise.all([abortIdleUploads(stores, stores.clock.now()), abortIdleUploads(stores, stores.clock.now())]),
    ).toContain(1);
    expect(await uploads.reservedBytes()).toBe(600);
    expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(9))).toHaveLength(1);
    expect((await uploads.status(active)).sizeBytes).toBe(600);
    const [newest] = await stores.metadata.read.activity.scan({ accountId: account.id, limit: 1 });
    expect(newest).toMatchObject({
      type: 'chunked.aborted',
      object: { key: 'idle.bin' },
      actor: { auth: 'system' },
      details: { size: 20_000 },
    });
  });
});

describe('forgetClosedUploads()', () => {
  it('forgets uploads that were closed 24 hours ago, and no others', async () => {
    const { stores, uploads } = await opened();
    const [aborted, completed, open] = [
      await uploads.start({ name: 'a' }),
      await uploads.start({ name: 'b' }),
      await uploads.start({ name: 'c' }),
    ];
    await uploads.abort(aborted);
    await uploads.put(completed, 1, someBytes(600));
    stores.clock.advance(1);
    await uploads.complete(completed);
    const find = (handle: string) => stores.metadata.read.chunkedUploads.find(handle.split('.')[0]!);
    stores.clock.advance(dayMs - 1);
    expect(await forgetClosedUploads(stores, stores.clock.now())).toBe(1);
    expect([await find(aborted), (await find(completed))?.state, (await find(open))?.state]).toEqual([
      undefined,
      'completed',
      'open',
    ]);
    stores.clock.advance(1);
    expect(await forgetClosedUploads(stores, stores.clock.now())).toBe(1);
    expect(await forgetClosedUploads(stores, stores.clock.now())).toBe(0);
  });
});
