import { createHash, randomBytes, randomInt } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { BlobStoreFailed, type BlobHashes } from '#server/domain/ports/blobs.ts';
import { HashedContent } from '#server/stores/filesystem/hashed-content.ts';
import { HashThreads, type HashListener } from '#server/stores/filesystem/hash-threads.ts';
import { Slabs, slabBytes } from '#server/stores/filesystem/slabs.ts';
import { writeAll } from '#server/stores/filesystem/write-all.ts';

let threads: HashThreads;
let slabs: Slabs;
beforeEach(() => {
  threads = new HashThreads(2);
  slabs = new Slabs();
});
afterEach(() => threads.close());

const hashesOf = (bytes: Uint8Array): BlobHashes => ({
  md5: createHash('md5').update(bytes).digest('hex'),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Yields the bytes in pieces of any size, in memory that is used again. */
async function* inRandomCuts(bytes: Uint8Array, mostBytes = 200_000): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(mostBytes);
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, at + randomInt(mostBytes + 1));
    memory.set(piece);
    yield memory.subarray(0, piece.length);
    memory.fill(0);
    at += piece.length;
  }
}

/** Receives a content. Returns its hashes and what was written. */
async function receive(source: AsyncIterable<Uint8Array>, { wantsSha256 = true, signal = undefined as never } = {}) {
  using content = new HashedContent(threads, slabs, wantsSha256);
  const written: Uint8Array[] = [];
  await writeAll(async (bytes) => void written.push(Uint8Array.from(bytes)), content, source, signal);
  return { hashes: await content.hashes(), written: Buffer.concat(written) };
}

describe('HashedContent', () => {
  it.each([0, 1, slabBytes - 1, slabBytes, slabBytes + 1, 2 * slabBytes, 5 * slabBytes, 3_000_017])(
    'hashes %i bytes like node:crypto, however they are cut, and writes them in order',
    async (size) => {
      const bytes = randomBytes(size);
      for (const mostBytes of [7_001, 65_536, 600_000]) {
        const { hashes, written } = await receive(inRandomCuts(bytes, mostBytes));
        expect(hashes).toEqual(hashesOf(bytes));
        expect(written.equals(bytes)).toBe(true);
      }
    },
  );

  it.each([1000, 1_000_000])('leaves the SHA-256 of %i bytes out when it is not wanted', async (size) => {
    const bytes = randomBytes(size);
    const { hashes } = await receive(inRandomCuts(bytes), { wantsSha256: false });
    expect(hashes).toEqual({ md5: hashesOf(bytes).md5, sha256: null });
  });

  it('hashes many contents at once, with more than there are second slabs', async () => {
    const contents = Array.from({ length: 100 }, () => randomBytes(randomInt(4 * slabBytes)));
    const received = await Promise.all(contents.map((bytes) => receive(inRandomCuts(bytes))));
    for (const [index, { hashes, written }] of received.entries()) {
      expect(hashes).toEqual(hashesOf(contents[index]!));
      expect(written.equals(contents[index]!)).toBe(true);
    }
  });

  it('hashes with one slab when no second one is free, and takes a second one later', async () => {
    const others = Array.from({ length: 64 }, () => [slabs.take(), slabs.takeSecond()!]);
    expect(slabs.takeSecond()).toBeUndefined();
    const bytes = randomBytes(9 * slabBytes + 5);
    const source = (async function* () {
      let at = 0;
      for await (const chunk of inRandomCuts(bytes, 50_000)) {
        yield chunk;
        at += chunk.length;
        if (at > 4 * slabBytes) for (const one of others.splice(0)) slabs.giveBack(one);
      }
    })();
    expect((await receive(source)).hashes).toEqual(hashesOf(bytes));
  });

  it('uses the same memory for one content after another', async () => {
    const memory = new Set<ArrayBufferLike>();
    for (let round = 0; round < 20; round++) {
      using content = new HashedContent(threads, slabs, true);
      const bytes = randomBytes(5 * slabBytes);
      await writeAll(async ({ buffer }) => void memory.add(buffer), content, inRandomCuts(bytes));
      expect(await content.hashes()).toEqual(hashesOf(bytes));
    }
    expect(memory.size).toBe(2);
  });

  it('leaves contents that break off, and hashes others in the same memory', async () => {
    const bytes = randomBytes(1_000_000);
    for (let round = 0; round < 20; round++) {
      const gone = new AbortController();
      const broken = (async function* () {
        yield randomBytes(randomInt(3 * slabBytes));
        gone.abort(new Error('gone'));
        yield randomBytes(slabBytes);
      })();
      const [aborted, received] = await Promise.allSettled([
        receive(broken, { signal: gone.signal as never }),
        receive(inRandomCuts(bytes)),
      ]);
      expect(aborted).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
      expect(received).toMatchObject({ value: { hashes: hashesOf(bytes) } });
    }
  });

  it('throws BlobStoreFailed when its thread ends, and another thread hashes the next content', async () => {
    const bytes = randomBytes(4 * slabBytes);
    const source = (async function* () {
      yield bytes;
      await threads.close();
      yield bytes;
    })();
    await expect(receive(source)).rejects.toThrow(BlobStoreFailed);
    expect((await receive(inRandomCuts(bytes))).hashes).toEqual(hashesOf(bytes));
  });

  it('throws BlobStoreFailed when its thread ends after the last byte', async () => {
    using content = new HashedContent(threads, slabs, true);
    content.add(await content.slab());
    content.end(new Uint8Array());
    const hashes = content.hashes();
    const failed = expect(hashes).rejects.toThrow('has ended');
    await threads.close();
    await failed;
  });
});

describe('HashThreads', () => {
  /** Records the threads of the contents that it begins. */
  const listener = (): HashListener & { readonly lostBy: unknown[] } => {
    const lostBy: unknown[] = [];
    return { lostBy, hashedPiece() {}, hashedAll() {}, lost: (error) => void lostBy.push(error) };
  };

  it('starts no thread for contents that fit a slab', async () => {
    const begun: unknown[] = [];
    const none = { begin: () => begun.push('a thread') as never };
    using content = new HashedContent(none, slabs, true);
    const bytes = randomBytes(slabBytes);
    await writeAll(async () => {}, content, inRandomCuts(bytes.subarray(1)));
    expect(await content.hashes()).toEqual(hashesOf(bytes.subarray(1)));
    expect(begun).toEqual([]);
  });

  it('reports a thread that fails to each of its contents, with the cause', async () => {
    const one = listener();
    threads = new HashThreads(1);
    const begun = [threads.begin(true, one), threads.begin(true, one)];
    // Bytes that no hash takes.
    begun[0]!.add('nothing' as never);
    begun[1]!.add({} as never);
    await expect.poll(() => one.lostBy).toHaveLength(2);
    expect(one.lostBy[0]).toBeInstanceOf(BlobStoreFailed);
    expect(one.lostBy[0]).toMatchObject({ cause: { code: 'ERR_INVALID_ARG_TYPE' } });
    const bytes = randomBytes(3 * slabBytes);
    expect((await receive(inRandomCuts(bytes))).hashes).toEqual(hashesOf(bytes));
  });
});

describe('Slabs', () => {
  it('keeps a few free slabs, and allows second ones again when some are back', () => {
    const taken = Array.from({ length: 64 }, () => [slabs.take(), slabs.takeSecond()!]);
    expect(slabs.takeSecond()).toBeUndefined();
    for (const pair of taken) slabs.giveBack(pair);
    const known = new Set(taken.flat());
    const again = Array.from({ length: 64 }, () => slabs.take());
    expect(again.filter((slab) => known.has(slab))).toHaveLength(16);
    expect(slabs.takeSecond()).toBeDefined();
  });
});
