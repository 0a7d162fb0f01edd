import { createHash, randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { completeChunkedUpload } from '#server/features/uploads/complete-chunked-upload.ts';
import { formatUploadHandle } from '#server/features/uploads/handle.ts';
import { maxOpenS3Uploads } from '#server/features/s3/limits.ts';
import { choiceOf, type ListedPart } from '#server/features/s3/choose-parts.ts';
import { unconditional } from '#server/domain/write-conditions.ts';
import type { ListedUpload } from '#server/features/uploads/chunked-upload.ts';
import { startS3Upload } from '#server/features/s3/start-s3-upload.ts';
import { Uploads } from '#test/features/uploads/uploads.ts';
import { partNumber } from '#test/support/parsed.ts';
import { openTestStores } from '#test/support/stores.ts';

const mebibyte = 1_048_576;

async function opened(checksum: ListedUpload['checksum'] = null) {
  const stores = await openTestStores();
  const account = await stores.account({ plan: 'enterprise' });
  const uploads = new Uploads(stores, account);
  const address = { accountId: account.id, space: 'private', key: 'a//b' } as const;
  const started = await startS3Upload(stores, {
    account,
    address,
    writing: { headers: {}, metadata: {} },
    checksum,
    conditions: unconditional,
    actor: systemActor,
  });
  const handle = formatUploadHandle(stores.secrets, started);
  const complete = async (listed: readonly ListedPart[]) =>
    completeChunkedUpload(uploads.deps, {
      ...(await uploads.named(handle)),
      checksumSha256: undefined,
      actor: systemActor,
      choice: choiceOf({ uploadId: 'one', listed, conditions: [unconditional], requireWhole: () => {} }),
    });
  const put = async (part: number, bytes: Uint8Array): Promise<ListedPart> => {
    const { md5 } = await uploads.put(handle, part, bytes, { listed: { checksum: () => undefined } });
    return { part: partNumber(part), etag: md5 };
  };
  return { stores, account, uploads, address, handle, complete, put };
}

describe('a multipart upload over S3', () => {
  it('of 10,000 parts drops parts that are not named, and reads none', { timeout: 600_000 }, async () => {
    const { stores, account, uploads, address, handle, complete } = await opened();
    const numbers = Array.from({ length: 10_000 }, (_, at) => at + 1);
    await uploads.fake(handle, numbers, mebibyte * 5);
    const listed = numbers.map((part) => ({ part: partNumber(part), etag: part.toString(16).padStart(32, '0') }));
    const { outcome } = await complete(listed.slice(0, 1_900));
    expect(outcome).toMatchObject({
      sizeBytes: 1_900 * 5 * mebibyte,
      parts: 1_900,
      sha256: null,
      etag: expect.stringMatching(/-1900$/),
    });
    expect(await stores.metadata.read.objects.find(address)).toMatchObject({ etag: outcome.etag });
    // The dropped parts release their quota.
    expect(await stores.metadata.read.accounts.find(account.id)).toMatchObject({
      usedBytes: outcome.sizeBytes,
      reservedBytes: 0,
    });
    expect(uploads.unhashed).toBe(1);
  });

  it('completed twice at once makes one file, and both calls return it', async () => {
    const { stores, address, complete, put } = await opened();
    const [one, two] = [await put(1, Buffer.from('one')), await put(2, Buffer.from('two'))];
    const outcomes = await Promise.all([complete([one]), complete([two])]);
    const object = (await stores.metadata.read.objects.find(address))!;
    expect(outcomes.map(({ outcome }) => outcome.etag)).toEqual([object.etag, object.etag]);
  });

  it('throws InvalidPart, and keeps the newer part, when a part is sent again during completion', async () => {
    const { complete, put, uploads, handle } = await opened();
    const bytes = randomBytes(100_000);
    const older = await put(1, bytes);
    const [completed, sent] = await Promise.allSettled([complete([older]), put(1, Buffer.from('newer'))]);
    // Either call may come first. The file has the older part and the newer one finds no upload, or the other way
    // round.
    if (completed.status === 'fulfilled')
      expect([completed.value.outcome.sizeBytes, sent.status]).toEqual([bytes.length, 'rejected']);
    else expect([completed.reason.code, (await uploads.status(handle)).sizeBytes]).toEqual(['InvalidPart', 5]);
  });

  it('of one empty part makes an empty file', async () => {
    const { complete, put } = await opened();
    const { outcome } = await complete([await put(1, new Uint8Array())]);
    expect(outcome).toMatchObject({ sizeBytes: 0, parts: 1, sha256: createHash('sha256').digest('hex') });
  });
});

describe('the 1,001st multipart upload over S3', () => {
  const day = 86_400_000;

  async function full() {
    const stores = await openTestStores();
    const account = await stores.account({ plan: 'enterprise' });
    // A key with full access: others leave it some places.
    const actor = { ...systemActor, keyId: (await stores.caller(account)).key.id };
    const start = (key: string) =>
      startS3Upload(stores, {
        account,
        address: { accountId: account.id, space: 'private', key },
        writing: { headers: {}, metadata: {} },
        checksum: null,
        conditions: unconditional,
        actor,
      });
    const uploads = new Uploads(stores, account);
    const first = await start('first');
    stores.clock.advance(1000);
    const second = await start('second');
    const part = (of: typeof first) =>
      uploads.put(formatUploadHandle(stores.secrets, of), 1, randomBytes(900), {
        listed: { checksum: () => undefined },
      });
    await part(second);
    stores.clock.advance(1000);
    await part(first);
    // The rest of them at once: rows are quicker than calls.
    await stores.metadata.atomically(async (tx) => {
      for (let at = 2; at < maxOpenS3Uploads; at++)
        await tx.chunkedUploads.open({ ...second, id: `fill-${at}`, startedAt: tx.now + day / 2 }, maxOpenS3Uploads, 0);
    });
    const states = async () =>
      Promise.all([first, second].map(async ({ id }) => (await stores.metadata.read.chunkedUploads.find(id))!.state));
    const reserved = async () => (await stores.metadata.read.accounts.find(account.id))!.reservedBytes;
    return { stores, start, states, reserved };
  }

  it('is refused while none has been idle for a day', async () => {
    const { stores, start, states } = await full();
    stores.clock.advance(day - 1001);
    await expect(start('more')).rejects.toMatchObject({ code: 'TOO_MANY_OPEN_UPLOADS' });
    expect(await states()).toEqual(['open', 'open']);
  });

  it('takes the place of the one that has been idle longest, and frees its parts', async () => {
    const { stores, start, states, reserved } = await full();
    stores.clock.advance(day - 1000);
    expect(await reserved()).toBe(1800);
    await start('more');
    expect([await states(), await reserved()]).toEqual([['open', 'aborted'], 900]);
    await expect(start('yet more')).rejects.toMatchObject({ code: 'TOO_MANY_OPEN_UPLOADS' });
    stores.clock.advance(1000);
    await start('yet more');
    expect([await states(), await reserved()]).toEqual([['aborted', 'aborted'], 0]);
    await expect(start('too many')).rejects.toMatchObject({ code: 'TOO_MANY_OPEN_UPLOADS' });
  });
});
