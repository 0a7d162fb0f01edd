import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

import { readContent } from '#server/domain/contents/read-content.ts';
import {
  discardContent,
  receiveContent,
  type Incoming,
  type ReceivedContent,
} from '#server/features/files/upload/receive-content.ts';
import { BlobStoreUnavailable } from '#server/domain/ports/blobs.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const mib = 2 ** 20;
const step = 8 * mib;

async function* inChunks(bytes: Uint8Array, chunkBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Receives the bytes for a new account. Their size is announced by default. */
async function receive(
  stores: TestStores,
  bytes: Uint8Array,
  { quotaBytes, ...options }: Partial<Incoming> & { quotaBytes?: number } = {},
) {
  const account = await stores.account(quotaBytes === undefined ? {} : { quotaBytes });
  const incoming = {
    account,
    source: inChunks(bytes),
    announcedBytes: bytes.length,
    maxBytes: 100 * mib,
    signal: new AbortController().signal,
    ...options,
  };
  const outcome = await receiveContent(stores, incoming).then(
    (received) => ({ received }),
    (error: unknown) => ({ error }),
  );
  return { account, ...outcome } as { account: typeof account; received: ReceivedContent; error: unknown };
}

const reserved = async (stores: TestStores, { id }: { id: string }) =>
  (await stores.metadata.read.accounts.find(id))!.reservedBytes;
const reservations = (stores: TestStores) => stores.metadata.atomically((tx) => tx.reservations.all());

async function blobIds(stores: TestStores): Promise<string[]> {
  return Array.fromAsync(stores.blobs.ids(), ({ blobId }) => blobId);
}

const zeros = new Uint8Array(mib);
/** Yields bytes without end. Calls `onChunk` before each MiB. */
async function* endless(onChunk: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (;;) {
    await onChunk();
    yield zeros;
  }
}

describe('receiveContent()', () => {
  it.each([0, 1, 511, 16_383, 16_384])(
    'keeps %i bytes for the row itself, and holds no quota for them',
    async (size) => {
      const stores = await openTestStores();
      const bytes = randomBytes(size);
      const { account, received } = await receive(stores, bytes);
      expect(received.blob.inline).toEqual(bytes);
      expect(received).toMatchObject({ sizeBytes: size, reservationId: undefined });
      expect([await reserved(stores, account), await blobIds(stores)]).toEqual([0, []]);
    },
  );

  it.each([9_000, 300_000])('reads %i bytes from a source that reuses its chunk', async (size) => {
    const stores = await openTestStores();
    const bytes = randomBytes(size);
    const chunk = Buffer.alloc(1000);
    async function* again() {
      for (let at = 0; at < size; at += chunk.length) {
        bytes.copy(chunk, 0, at);
        yield chunk;
      }
    }
    const { received } = await receive(stores, bytes, { source: again() });
    const content = { id: 'content', sizeBytes: size, blobs: [received.blob] };
    expect((await buffer(await readContent(stores, content))).equals(bytes)).toBe(true);
    expect(received.md5).toBe(createHash('md5').update(bytes).digest('hex'));
  });

  it.each([16_385, 65_536, 65_537, 3 * mib + 1])('writes %i bytes to a blob, and holds as much quota', async (size) => {
    const stores = await openTestStores();
    const bytes = randomBytes(size);
    const { account, received } = await receive(stores, bytes);
    expect(received).toMatchObject({ sizeBytes: size, blob: { inline: null, sizeBytes: size } });
    expect(await reserved(stores, account)).toBe(size);
    expect(await blobIds(stores)).toEqual([received.blob.blobId]);
    const content = { id: 'content', sizeBytes: size, blobs: [received.blob] };
    expect((await buffer(await readContent(stores, content))).equals(bytes)).toBe(true);
    expect(await reservations(stores)).toEqual([
      { id: received.reservationId, accountId: account.id, sizeBytes: size, blobId: received.blob.blobId },
    ]);
  });

  it.each([1, 16_384, 16_385, 200_000])('hashes %i bytes correctly, however they are split', async (size) => {
    const stores = await openTestStores();
    const bytes = randomBytes(size);
    for (const chunkBytes of [size, 16_384, 16_383, 7001]) {
      const { received } = await receive(stores, bytes, { source: inChunks(bytes, chunkBytes) });
      expect(received.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(received.md5).toBe(createHash('md5').update(bytes).digest('hex'));
    }
  });

  it('returns the published hashes of "abc" (FIPS 180, RFC 1321)', async () => {
    const { received } = await receive(await openTestStores(), Buffer.from('abc'));
    expect(received.sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(received.md5).toBe('900150983cd24fb0d6963f7d28e17f72');
  });

  it.each([
    [1000, 1001],
    [16_384, 16_385],
    [100_000, 100_001],
  ])('accepts %i bytes when so many are allowed, and throws FILE_TOO_LARGE for one more', async (maxBytes, size) => {
    const stores = await openTestStores();
    expect(
      (await receive(stores, randomBytes(maxBytes), { maxBytes, announcedBytes: undefined })).received.sizeBytes,
    ).toBe(maxBytes);
    const before = (await blobIds(stores)).length;
    const { account, error } = await receive(stores, randomBytes(size), { maxBytes, announcedBytes: undefined });
    expect(error).toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect([await reserved(stores, account), (await blobIds(stores)).length]).toEqual([0, before]);
  });

  it('holds the announced size before it reads on', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const held: number[] = [];
    const bytes = randomBytes(3 * 65_536);
    const source = (async function* () {
      for await (const chunk of inChunks(bytes)) {
        yield chunk;
        held.push(await reserved(stores, account));
      }
    })();
    await receiveContent(stores, {
      account,
      source,
      announcedBytes: bytes.length,
      maxBytes: mib,
      signal: new AbortController().signal,
    });
    expect(held).toEqual([bytes.length, bytes.length, bytes.length]);
  });

  it('holds no more than the maximum of an upload, whatever size was announced', async () => {
    const stores = await openTestStores();
    const outcome = await receive(stores, randomBytes(20_000), {
      announcedBytes: Number.MAX_SAFE_INTEGER,
      leastBytes: 0,
    });
    expect(outcome).toMatchObject({ received: { sizeBytes: 20_000 } });
    const { account } = outcome;
    expect(await reserved(stores, account)).toBe(104_857_600);
  });

  it('reserves an unannounced size at its end, so that parallel uploads reserve no spare space', async () => {
    const stores = await openTestStores();
    const account = await stores.account();
    const held: number[] = [];
    const bytes = randomBytes(5 * 65_536);
    const source = (async function* () {
      for await (const chunk of inChunks(bytes)) {
        held.push(await reserved(stores, account));
        yield chunk;
      }
    })();
    await receiveContent(stores, {
      account,
      source,
      announcedBytes: undefined,
      maxBytes: mib,
      signal: new AbortController().signal,
    });
    expect(held).toEqual([0, 0, 0, 0, 0]);
    expect(await reserved(stores, account)).toBe(bytes.length);
  });

  it('checks the quota every 8 MiB when no size was announced, and reads hardly past it', async () => {
    const stores = await openTestStores();
    const account = await stores.account({ quotaBytes: 10 * mib });
    let chunks = 0;
    const source = endless(async () => void chunks++);
    const receiving = receiveContent(stores, {
      account,
      source,
      announcedBytes: undefined,
      maxBytes: 100 * mib,
      signal: new AbortController().signal,
    });
    await expect(receiving).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect(chunks * mib).toBeGreaterThan(10 * mib);
    expect(chunks * mib).toBeLessThanOrEqual(10 * mib + step);
    expect([await reserved(stores, account), await reservations(stores), await blobIds(stores)]).toEqual([0, [], []]);
  });

  it('uses the last byte of a quota that is smaller than a step, and not one more', async () => {
    const stores = await openTestStores();
    const size = 9 * mib + 17;
    const fits = await receive(stores, Buffer.alloc(size), { announcedBytes: undefined, quotaBytes: size });
    expect(fits.received.sizeBytes).toBe(size);
    expect(await reserved(stores, fits.account)).toBe(size);
    const tooLarge = await receive(stores, Buffer.alloc(size), { announcedBytes: undefined, quotaBytes: size - 1 });
    expect(tooLarge.error).toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect([await reserved(stores, tooLarge.account), await blobIds(stores)]).toEqual([0, [fits.received.blob.blobId]]);
  });

  it('throws STORAGE_QUOTA_EXCEEDED for the announced size, and hardly reads the source', async () => {
    const stores = await openTestStores();
    const account = await stores.account({ quotaBytes: mib });
    let chunks = 0;
    const source = endless(async () => void chunks++);
    await expect(
      receiveContent(stores, {
        account,
        source,
        announcedBytes: mib + 1,
        maxBytes: 100 * mib,
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({ code: 'STORAGE_QUOTA_EXCEEDED' });
    expect(chunks).toBe(1);
    expect(await reservations(stores)).toEqual([]);
  });

  it('continues when a little more comes than was announced', async () => {
    const stores = await openTestStores();
    const { received, account } = await receive(stores, randomBytes(100_000), {
      announcedBytes: 99_998,
      quotaBytes: 100_000,
    });
    expect(received.sizeBytes).toBe(100_000);
    expect(await reserved(stores, account)).toBe(100_000);
  });

  it('lets parallel uploads hold no more than the quota together', async () => {
    const stores = await openTestStores();
    const account = await stores.account({ quotaBytes: 100_000 });
    const bytes = randomBytes(30_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, number) =>
        receiveContent(stores, {
          account,
          source: inChunks(bytes, 9000),
          announcedBytes: number % 2 ? bytes.length : undefined,
          maxBytes: mib,
          signal: new AbortController().signal,
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(3);
    const held = (await reservations(stores)).reduce((sum, one) => sum + one.sizeBytes, 0);
    expect(await reserved(stores, account)).toBe(held);
    expect(held).toBeLessThanOrEqual(100_000);
  });

  it('rethrows an error of the source, and leaves neither bytes nor quota behind', async () => {
    const stores = await openTestStores();
    const cutOff = new Error('cut off');
    const source = (async function* () {
      yield randomBytes(200_000);
      throw cutOff;
    })();
    const { account, error } = await receive(stores, Buffer.alloc(0), { source });
    expect(error).toBe(cutOff);
    expect([await reserved(stores, account), await reservations(stores), await blobIds(stores)]).toEqual([0, [], []]);
  });

  it('releases the quota when the blob store cannot write, and when the client disconnects', async () => {
    const stores = await openTestStores();
    const fault = new BlobStoreUnavailable('full', undefined);
    const broken = await receive(
      { ...stores, blobs: { put: () => Promise.reject(fault) } as never },
      randomBytes(20_000),
    );
    expect(broken.error).toBe(fault);
    const gone = new AbortController();
    gone.abort(new Error('gone'));
    const aborted = await receive(stores, randomBytes(20_000), { signal: gone.signal });
    expect(aborted.error).toMatchObject({ message: 'gone' });
    expect(await reservations(stores)).toEqual([]);
    expect([
      await reserved(stores, broken.account),
      await reserved(stores, aborted.account),
      await blobIds(stores),
    ]).toEqual([0, 0, []]);
  });
});

describe('discardContent()', () => {
  it('releases the quota and marks the blob for deletion', async () => {
    const stores = await openTestStores();
    const { account, received } = await receive(stores, randomBytes(20_000));
    await discardContent(stores, account.id, received);
    expect(await reserved(stores, account)).toBe(0);
    expect(await stores.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual([received.blob.blobId]);
    expect(stores.deletionMarks()).toBe(1);
  });

  it('does nothing for bytes that were meant for the row', async () => {
    const stores = await openTestStores();
    const { account, received } = await receive(stores, randomBytes(100));
    await discardContent({ metadata: { atomically: () => expect.unreachable('a write') } }, account.id, received);
  });
});
