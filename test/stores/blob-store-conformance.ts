import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BlobStoreFailed, type BlobStore } from '#server/domain/ports/blobs.ts';

/** A store to test. `leftovers` returns the names of everything in it that is not a finished blob. */
export interface OpenedBlobStore {
  readonly store: BlobStore;
  leftovers?(): Promise<string[]> | string[];
  /** Returns a new id. Default: one that every store accepts. */
  newBlobId?(): string;
  close?(): Promise<void> | void;
}

/** Returns a new id in the form that every store accepts. */
export function newBlobId(): string {
  return Array.from(randomBytes(26), (byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte & 31]).join('');
}

/** Returns a source of these chunks. If `error` is given, the source throws it at its end. */
export async function* chunks(parts: Iterable<Uint8Array | string>, error?: Error): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
  if (error) throw error;
}

/** Returns everything that an iterable yields. */
export async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of iterable) all.push(each);
  return all;
}

/** Tests that a store keeps the port's contract. `open` is called before each test and returns an empty store. */
export function blobStoreConformance(name: string, open: () => Promise<OpenedBlobStore>): void {
  let opened: OpenedBlobStore;
  let store: BlobStore;
  let newId = newBlobId;

  beforeEach(async () => {
    opened = await open();
    ({ store, newBlobId: newId = newBlobId } = opened);
  });
  afterEach(async () => opened.close?.());

  const allIds = async () => (await collect(store.ids())).map(({ blobId }) => blobId).sort();
  const bytesOf = async (blobId: string, range?: { start: number; end: number }) =>
    buffer(await store.open(blobId, range));
  async function expectNothingOf(blobId: string): Promise<void> {
    expect(await allIds()).toEqual([]);
    expect((await opened.leftovers?.()) ?? []).toEqual([]);
    await expect(store.open(blobId)).rejects.toThrow();
  }

  describe(`${name}.put()`, () => {
    it.each([0, 1, 65_536, 262_144, 262_145, 3_000_017])('stores %i bytes unchanged', async (sizeBytes) => {
      const blobId = newId();
      const bytes = randomBytes(sizeBytes);
      await store.put(blobId, chunks([bytes]));
      expect((await bytesOf(blobId)).equals(bytes)).toBe(true);
    });

    it('stores chunks of any size in order, and keeps none of their memory', async () => {
      const blobId = newId();
      const expected = createHash('sha256');
      const sizes = [1, 0, 70_000, 262_144, 3, 600_000, 200_000, 62_144, 5];
      await store.put(
        blobId,
        (async function* () {
          const memory = Buffer.alloc(600_000);
          for (const [index, size] of sizes.entries()) {
            const chunk = memory.subarray(0, size).fill(index + 1);
            expected.update(chunk);
            yield chunk;
          }
        })(),
      );
      expect(
        createHash('sha256')
          .update(await bytesOf(blobId))
          .digest('hex'),
      ).toBe(expected.digest('hex'));
    });

    it.each([0, 1, 262_144, 262_145, 3_000_017])('resolves with the hashes of %i bytes', async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const [md5, sha256] = ['md5', 'sha256'].map((name) => createHash(name).update(bytes).digest('hex'));
      const parts = [bytes.subarray(0, 70_001), bytes.subarray(70_001)];
      expect(await store.put(newId(), chunks(parts))).toEqual({ md5, sha256 });
      expect(await store.put(newId(), chunks(parts), { announcedBytes: sizeBytes, wantsSha256: false })).toEqual({
        md5,
        sha256: null,
      });
    });

    it('passes on an error of the source unchanged, and leaves nothing behind', async () => {
      const blobId = newId();
      const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
      await expect(store.put(blobId, chunks([randomBytes(300_000), 'more'], reset))).rejects.toBe(reset);
      await expectNothingOf(blobId);
    });

    it('rejects with the reason of a signal that is already aborted', async () => {
      const blobId = newId();
      const reason = new Error('gone');
      await expect(store.put(blobId, chunks(['a']), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      await expectNothingOf(blobId);
    });

    it('rejects when it is aborted between two chunks, releases the source and leaves nothing behind', async () => {
      const blobId = newId();
      const abort = new AbortController();
      const reason = new Error('gone');
      let released = false;
      const source = (async function* () {
        try {
          yield randomBytes(300_000);
          abort.abort(reason);
          yield randomBytes(10);
        } finally {
          released = true;
        }
      })();
      await expect(store.put(blobId, source, { signal: abort.signal })).rejects.toBe(reason);
      await expectNothingOf(blobId);
      expect(released).toBe(true);
    });

    it('rejects when it is aborted while the source hangs', async () => {
      const blobId = newId();
      const abort = new AbortController();
      const source = (async function* () {
        yield Buffer.from('a');
        setTimeout(() => abort.abort(new Error('gone')), 10);
        await new Promise(() => {});
      })();
      await expect(store.put(blobId, source, { signal: abort.signal })).rejects.toThrow('gone');
      await expectNothingOf(blobId);
    });

    it('can store an id after a failed put of the same id', async () => {
      const blobId = newId();
      await expect(store.put(blobId, chunks(['a'], new Error('broken')))).rejects.toThrow('broken');
      await store.put(blobId, chunks(['b']));
      expect(String(await bytesOf(blobId))).toBe('b');
    });

    it('refuses an id that is already stored, and keeps its bytes', async () => {
      const blobId = newId();
      await store.put(blobId, chunks(['first']));
      const again = store.put(blobId, chunks(['second']));
      await expect(again).rejects.toThrow();
      await expect(again).rejects.not.toBeInstanceOf(BlobStoreFailed);
      expect(String(await bytesOf(blobId))).toBe('first');
      expect((await opened.leftovers?.()) ?? []).toEqual([]);
    });

    it('lets exactly one of eight puts of the same id succeed, with complete bytes', async () => {
      const blobId = newId();
      const puts = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          store.put(blobId, chunks([Buffer.alloc(300_000, index), Buffer.alloc(7, index)])),
        ),
      );
      expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const winner = puts.findIndex(({ status }) => status === 'fulfilled');
      expect((await bytesOf(blobId)).equals(Buffer.alloc(300_007, winner))).toBe(true);
      expect((await opened.leftovers?.()) ?? []).toEqual([]);
    });
  });

  describe(`${name}.open()`, () => {
    it.each([
      [{ start: 0, end: 0 }, '0'],
      [{ start: 3, end: 5 }, '345'],
      [{ start: 9, end: 9 }, '9'],
      [{ start: 0, end: 9 }, '0123456789'],
      [{ start: 8, end: 999 }, '89'],
    ])('yields the range %o', async (range, expected) => {
      const blobId = newId();
      await store.put(blobId, chunks(['0123456789']));
      expect(String(await bytesOf(blobId, range))).toBe(expected);
    });

    it('yields a range that spans many reads', async () => {
      const blobId = newId();
      const bytes = randomBytes(2_000_000);
      await store.put(blobId, chunks([bytes]));
      expect(
        (await bytesOf(blobId, { start: 123_457, end: 1_765_432 })).equals(bytes.subarray(123_457, 1_765_433)),
      ).toBe(true);
    });

    it('rejects when the blob is missing, with an error that is not retryable', async () => {
      const opening = store.open(newId());
      await expect(opening).rejects.toThrow();
      await expect(opening).rejects.not.toBeInstanceOf(BlobStoreFailed);
    });

    it('can be read several times at once, and be destroyed early', async () => {
      const blobId = newId();
      const bytes = randomBytes(1_500_000);
      await store.put(blobId, chunks([bytes]));
      const abandoned = await store.open(blobId);
      for await (const chunk of abandoned) {
        expect(chunk.byteLength).toBeGreaterThan(0);
        break;
      }
      expect(abandoned.destroyed).toBe(true);
      const all = await Promise.all([1, 2, 3].map(() => bytesOf(blobId)));
      expect(all.every((read) => read.equals(bytes))).toBe(true);
    });
  });

  describe(`${name}.delete()`, () => {
    it('removes a blob, and accepts a repeated removal', async () => {
      const blobId = newId();
      await store.put(blobId, chunks(['a']));
      await store.delete(blobId);
      await store.delete(blobId);
      await store.delete(newId());
      await expectNothingOf(blobId);
    });
  });

  describe(`${name}.ids()`, () => {
    it('yields every stored id once, and no id that is still being written', async () => {
      const stored = Array.from({ length: 60 }, () => newId()).sort();
      await Promise.all(stored.map((blobId) => store.put(blobId, chunks(['a']))));
      let finish = () => {};
      const halfWay = Promise.withResolvers<void>();
      const unfinished = store.put(
        newId(),
        (async function* () {
          yield randomBytes(300_000);
          halfWay.resolve();
          await new Promise<void>((resolve) => (finish = resolve));
        })(),
      );
      await halfWay.promise;
      expect(await allIds()).toEqual(stored);
      finish();
      await unfinished;
      expect(await allIds()).toHaveLength(61);
    });

    it('yields the ids in order, with the sizes', async () => {
      const sizes = new Map(Array.from({ length: 40 }, (_, at) => [newId(), at * 1000]));
      for (const [blobId, size] of sizes) await store.put(blobId, chunks([Buffer.alloc(size)]));
      const found = (await collect(store.ids())).map(({ blobId, sizeBytes }) => [blobId, sizeBytes]);
      expect(found).toEqual([...sizes].sort(([one], [other]) => (one < other ? -1 : 1)));
    });

    it('can be stopped early', async () => {
      await Promise.all(Array.from({ length: 5 }, () => store.put(newId(), chunks(['a']))));
      for await (const { blobId } of store.ids()) {
        expect(blobId).toMatch(/^[a-z2-7]{26}/);
        break;
      }
    });
  });
}
