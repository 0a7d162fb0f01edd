import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { BlobReader, ChunkBudget } from '#server/stores/filesystem/blob-reader.ts';
import { temporaryFolder } from '#test/cli/cubby.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes } from '#test/support/files.ts';

const kib = 1024;
const mib = 1024 * kib;
const sizeBytes = 6 * mib + 7;

describe('BlobReader', () => {
  let path: string;
  let bytes: Buffer;
  let now = 0;
  beforeEach(async () => {
    path = join(await temporaryFolder(), 'blob');
    bytes = Buffer.from(someBytes(sizeBytes));
    await writeFile(path, bytes);
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void vi.restoreAllMocks());

  const reader = async (budget = new ChunkBudget(), range = { start: 0, end: sizeBytes - 1 }) =>
    new BlobReader(await open(path, 'r'), range, budget);

  /** Takes chunks, each after this pause. Returns them. */
  async function taken(source: BlobReader, pauseMs: number, count = Infinity): Promise<Buffer[]> {
    const chunks: Buffer[] = [];
    const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    while (chunks.length < count) {
      const { value, done } = await iterator.next();
      if (done) break;
      chunks.push(value);
      if (pauseMs > 0 && chunks.length < count) await expect.poll(() => source.readableLength).toBeGreaterThan(0);
      now += pauseMs;
    }
    return chunks;
  }

  const sizesOf = (chunks: readonly Buffer[]) => chunks.map(({ length }) => length / kib);

  it('reads larger chunks for a client that takes its bytes quickly', async () => {
    const chunks = await taken(await reader(), 0);
    expect(sizesOf(chunks).slice(0, 6)).toEqual([64, 128, 256, 512, 1024, 1024]);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  it('reads small chunks for a client that takes its bytes slowly', async () => {
    const chunks = await taken(await reader(), 1_000, 6);
    // The first two are available at once, because one is read ahead.
    expect(sizesOf(chunks)).toEqual([64, 128, 64, 64, 64, 64]);
    expect(Buffer.concat(chunks).equals(bytes.subarray(0, 448 * kib))).toBe(true);
  });

  it('reads into chunks that came back, and only into those', async () => {
    const source = await reader();
    const seen: ArrayBufferLike[] = [];
    const copies: Buffer[] = [];
    for await (const chunk of source as AsyncIterable<Buffer>) {
      seen.push(chunk.buffer);
      copies.push(Buffer.from(chunk));
      source.recycle(chunk);
    }
    expect(Buffer.concat(copies).equals(bytes)).toBe(true);
    expect(new Set(seen).size).toBeLessThan(seen.length);
    const kept = await taken(await reader(), 0);
    expect(new Set(kept.map(({ buffer }) => buffer)).size).toBe(kept.length);
  });

  it('reads exactly the range', async () => {
    const chunks = await taken(await reader(undefined, { start: 5, end: 3 * mib }), 0);
    expect(Buffer.concat(chunks).equals(bytes.subarray(5, 3 * mib + 1))).toBe(true);
  });

  it('shares the memory budget of large chunks, and returns its share at its end', async () => {
    const budget = new ChunkBudget(960 * kib);
    const first = await reader(budget);
    expect(sizesOf(await taken(first, 0, 5))).toEqual([64, 128, 256, 512, 1024]);
    const second = await reader(budget);
    expect(sizesOf(await taken(second, 0, 3))).toEqual([64, 64, 64]);
    first.destroy();
    await eventually(() => expect(first.closed).toBe(true));
    const third = await reader(budget);
    expect(sizesOf(await taken(third, 0, 3))).toEqual([64, 128, 256]);
    for (const one of [second, third]) one.destroy();
  });
});
