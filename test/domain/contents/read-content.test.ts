import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Content } from '#server/domain/contents/table.ts';
import { readContent } from '#server/domain/contents/read-content.ts';
import type { ByteRange } from '#server/domain/ports/blobs.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

/** Makes a content of blobs of these sizes. `inline` decides which ones lie inline. */
async function contentOf(
  stores: TestStores,
  sizes: readonly number[],
  inline: (index: number) => boolean,
): Promise<{ content: Content; bytes: Buffer }> {
  const pieces = sizes.map((size) => randomBytes(size));
  const blobs = await Promise.all(
    pieces.map(async (piece, index) => {
      const blobId = stores.ids.opaqueId();
      if (!inline(index)) await stores.blobs.put(blobId, Readable.from([piece]));
      return { blobId, sizeBytes: piece.length, inline: inline(index) ? new Uint8Array(piece) : null };
    }),
  );
  const bytes = Buffer.concat(pieces);
  return { content: { id: 'content', sizeBytes: bytes.length, blobs }, bytes };
}

/** Returns blobs in memory that record what was opened. */
function remembering(bytesOf: Readonly<Record<string, Uint8Array>> = {}) {
  const opened: Array<{ blobId: string; range: ByteRange | undefined; stream: Readable }> = [];
  const open = async (blobId: string, range?: ByteRange) => {
    const bytes = bytesOf[blobId];
    if (!bytes) throw new Error(`There is no blob ${blobId}.`);
    const stream = Readable.from([bytes.subarray(range?.start ?? 0, (range?.end ?? bytes.length - 1) + 1)]);
    opened.push({ blobId, range, stream });
    return stream;
  };
  return { blobs: { open }, opened };
}

const three: Content = {
  id: 'content',
  sizeBytes: 9,
  blobs: ['one', 'two', 'six'].map((blobId) => ({ blobId, sizeBytes: 3, inline: null })),
};
const threeBytes = { one: Buffer.from('one'), two: Buffer.from('two'), six: Buffer.from('six') };

describe('readContent()', () => {
  it('returns every range of a content of several blobs as a slice of the whole', async () => {
    const stores = await openTestStores();
    const { content, bytes } = await contentOf(stores, [5, 1, 0, 4, 7], (index) => index % 2 === 1);
    expect(await buffer(await readContent(stores, content))).toEqual(bytes);
    for (let start = 0; start < bytes.length; start++) {
      for (let end = start; end < bytes.length; end++) {
        expect(await buffer(await readContent(stores, content, { start, end })), `${start}-${end}`).toEqual(
          bytes.subarray(start, end + 1),
        );
      }
    }
  });

  it('returns any range of larger blobs', async () => {
    const stores = await openTestStores();
    const { content, bytes } = await contentOf(stores, [300_000, 70_000, 1, 262_145], (index) => index === 2);
    const places = fc.oneof(
      fc.nat({ max: bytes.length - 1 }),
      fc.constantFrom(299_999, 300_000, 369_999, 370_000, 370_001, bytes.length - 1),
    );
    await fc.assert(
      fc.asyncProperty(places, places, async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        expect(
          (await buffer(await readContent(stores, content, { start, end }))).equals(bytes.subarray(start, end + 1)),
        ).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each([[0], [0, 0]])('returns nothing for blobs of %j bytes', async (...sizes) => {
    const stores = await openTestStores();
    const { content } = await contentOf(stores, sizes, () => true);
    expect(await buffer(await readContent(stores, content))).toEqual(Buffer.alloc(0));
  });

  it('opens only the blobs that the range touches, and only the needed part of each', async () => {
    const { blobs, opened } = remembering(threeBytes);
    expect(String(await buffer(await readContent({ blobs }, three, { start: 4, end: 6 })))).toBe('wos');
    expect(opened.map(({ blobId, range }) => [blobId, range])).toEqual([
      ['two', { start: 1, end: 2 }],
      ['six', { start: 0, end: 0 }],
    ]);
  });

  it('rejects before the first byte when the first blob is missing', async () => {
    const stores = await openTestStores();
    await expect(
      readContent(stores, { ...three, blobs: [{ blobId: stores.ids.opaqueId(), sizeBytes: 9, inline: null }] }),
    ).rejects.toThrow('There is no blob');
  });

  it('fails, and does not end early, when a later blob is missing', async () => {
    const { one, six } = threeBytes;
    const { blobs } = remembering({ one, six });
    await expect(buffer(await readContent({ blobs }, three))).rejects.toThrow('There is no blob two.');
  });

  it('opens the next blob only when the stream reaches it', async () => {
    const { blobs, opened } = remembering(threeBytes);
    const stream = await readContent({ blobs }, three);
    await nextTurn();
    expect(opened.map(({ blobId }) => blobId)).toEqual(['one']);
    stream.destroy();
  });

  it('closes the open blob when it is destroyed, read or not', async () => {
    for (const chunks of [0, 1, 2]) {
      const { blobs, opened } = remembering(threeBytes);
      const stream = await readContent({ blobs }, three);
      for (let count = 0; count < chunks; count++) await once(stream, 'readable').then(() => stream.read(3));
      stream.destroy();
      await once(stream, 'close');
      await nextTurn();
      expect(opened.map((one) => [one.blobId, one.stream.destroyed])).toEqual(
        opened.map(({ blobId }) => [blobId, true]),
      );
    }
  });
});
