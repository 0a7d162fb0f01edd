import { describe, expect, it } from 'vitest';

import type { ChunkedUpload, NewPart } from '#server/features/uploads/chunked-upload.ts';
import type { NewChunkedUpload } from '#server/features/uploads/table.ts';
import { accountId, bareStarted, otherId, part, started } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';
import { partNumber } from '#test/support/parsed.ts';

/** The tables of chunked uploads and their parts. */
export function chunkedUploadsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: chunked uploads`, () => {
    const open = (upload: NewChunkedUpload = started, maxOpen = 32, idleBefore = 0) =>
      write((tx) => tx.chunkedUploads.open(upload, maxOpen, idleBefore));
    const put = (stored: NewPart, { id = started.id, at = 2000, maxBytes = 1e9 } = {}) =>
      write((tx) => tx.chunkedUploads.putPart(id, stored, at, maxBytes));
    const find = (id = started.id) => store.metadata.read.chunkedUploads.find(id);
    const partsOf = (id = started.id, after = 0, limit = 10) =>
      store.metadata.read.chunkedUploads.partsOf(id, after, limit);
    const fresh = (upload: NewChunkedUpload): ChunkedUpload => ({
      ...upload,
      state: 'open',
      activeAt: upload.startedAt,
      closedAt: null,
      revision: 0,
      storedBytes: 0,
      outcome: null,
      writer: null,
    });
    const completed = {
      ...{ sizeBytes: 1, parts: 1, sha256: null, expiresAt: null },
      ...{ etag: 'etag', versionId: 'version', isReplaced: false },
    };
    const toDelete = async () => (await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).sort();

    it('are returned as they were opened', async () => {
      expect([await open(), await open(bareStarted)]).toEqual([true, true]);
      expect([await find(), await find('upload-2'), await find('none')]).toEqual([
        fresh(started),
        fresh(bareStarted),
        undefined,
      ]);
      expect(await write((tx) => tx.chunkedUploads.find(started.id))).toEqual(fresh(started));
    });

    it('never exceed the limit in parallel, without idle or closed uploads and those of other accounts', async () => {
      await open({
        ...bareStarted,
        id: 'others',
        accountId: otherId,
        resolved: { ...bareStarted.resolved, address: { ...bareStarted.resolved.address, accountId: otherId } },
      });
      await open({ ...started, id: 'idle', startedAt: 5 }, 32, 0);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, number) => open({ ...started, id: `u${number}` }, 3, 5)),
      );
      // A store with parallel writers may take any three.
      const opened = outcomes.flatMap((isOpened, number) => (isOpened ? `u${number}` : []));
      expect(opened).toHaveLength(3);
      expect((await store.metadata.read.chunkedUploads.openOf(accountId, 5)).map(({ id }) => id)).toEqual(opened);
      await write((tx) => tx.chunkedUploads.abort(opened[1]!, 3000));
      expect([
        await open({ ...started, id: 'next', startedAt: 900 }, 3, 5),
        await open({ ...started, id: 'over' }, 3, 5),
      ]).toEqual([true, false]);
      expect((await store.metadata.read.chunkedUploads.openOf(accountId, 5)).map(({ id }) => id)).toEqual([
        'next',
        opened[0],
        opened[2],
      ]);
      expect(await find('over')).toBeUndefined();
    });

    it("keep parts by number and their order of arrival, and mark a replaced part's blob for deletion", async () => {
      await open();
      const small = part(3, 5, Buffer.from('inner'));
      expect([await put(part(2)), await put(part(1)), await put(small)]).toEqual([1, 2, 3]);
      expect(await put(part(2, 30_000), { at: 2500 })).toBe(4);
      const expected = [
        { ...part(1), sequence: 2, receivedAt: 2000 },
        { ...part(2, 30_000), sequence: 4, receivedAt: 2500 },
        {
          ...small,
          sequence: 3,
          receivedAt: 2000,
          blob: { ...small.blob, inline: new Uint8Array(small.blob.inline!) },
        },
      ];
      const rows = expected.map(({ blob: { inline, ...blob }, ...row }) => ({
        ...row,
        blob: { ...blob, isInline: inline !== null },
      }));
      expect(await partsOf()).toEqual(rows);
      expect([await partsOf(started.id, 1, 1), await partsOf(started.id, 3)]).toEqual([[rows[1]], []]);
      expect(await store.metadata.read.chunkedUploads.part(started.id, partNumber(3))).toEqual(expected[2]);
      expect([
        await store.metadata.read.chunkedUploads.part(started.id, partNumber(2)),
        await store.metadata.read.chunkedUploads.part(started.id, partNumber(4)),
      ]).toEqual([expected[1], undefined]);
      expect(await find()).toMatchObject({ revision: 4, storedBytes: 50_005, activeAt: 2500, startedAt: 1000 });
      expect([await toDelete(), store.deletionMarks()]).toEqual([['part-2-20000'], 1]);
      await put(part(3, 9));
      expect(await toDelete()).toEqual(['part-2-20000']);
    });

    it('never exceed the allowed bytes, also with parallel parts', async () => {
      await open();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) => put(part(at + 1), { maxBytes: 69_999 })),
      );
      // A store with parallel writers may take them in any order.
      expect(outcomes.filter((sequence) => sequence !== undefined).toSorted()).toEqual([1, 2, 3]);
      expect((await find())!.storedBytes).toBe(60_000);
      expect(await put(part(1, 29_999), { maxBytes: 69_999 })).toBe(4);
      expect(await put(part(1, 30_000), { maxBytes: 69_999 })).toBeUndefined();
      expect(await store.metadata.read.chunkedUploads.part(started.id, partNumber(1))).toMatchObject({
        blob: { sizeBytes: 29_999 },
      });
      expect(await toDelete()).toEqual(['part-1-20000']);
    });

    it('are completed with their response, and mark exactly the blobs that the content does not have', async () => {
      await open();
      await open(bareStarted);
      for (const stored of [part(1), part(2), part(3, 5, Buffer.from('inner'))]) await put(stored);
      await put(part(9), { id: 'upload-2' });
      const outcome = { ...completed, sizeBytes: 20_000, expiresAt: 7 };
      await write(async (tx) => {
        await tx.contents.add({ id: 'whole', sizeBytes: 20_000, crc32: 1, blobs: [part(1).blob] });
        await tx.chunkedUploads.complete(started.id, { contentId: 'whole', outcome }, 3000);
      });
      expect(await find()).toMatchObject({ state: 'completed', closedAt: 3000, storedBytes: 0, outcome });
      expect([await toDelete(), store.deletionMarks()]).toEqual([['part-2-20000'], 1]);
      expect([
        await partsOf(),
        await partsOf('upload-2'),
        await store.metadata.read.chunkedUploads.withPartsLeft(10),
      ]).toMatchObject([[], [{ part: 9 }], []]);
    });

    it('keep many parts for later removal when they are closed, and are not removed before', async () => {
      const stored = Array.from({ length: 1200 }, (_, at) => part(at + 1, 1));
      const kept = [stored[0]!, stored[700]!, stored[1199]!];
      for (const upload of [started, bareStarted]) {
        await open(upload);
        await write(async (tx) => {
          for (const one of stored)
            await tx.chunkedUploads.putPart(
              upload.id,
              { ...one, blob: { ...one.blob, blobId: `${upload.id} ${one.part}` } },
              2000,
              1e9,
            );
        });
      }
      await write(async (tx) => {
        await tx.contents.add({
          id: 'whole',
          sizeBytes: 3,
          crc32: 1,
          blobs: kept.map(({ part, blob }) => ({ ...blob, blobId: `${started.id} ${part}` })),
        });
        await tx.chunkedUploads.complete(
          started.id,
          { contentId: 'whole', outcome: { ...completed, sizeBytes: 3, parts: 3 } },
          3000,
        );
        await tx.chunkedUploads.abort(bareStarted.id, 3001);
      });
      const left = () => store.metadata.read.chunkedUploads.withPartsLeft(10);
      const clear = (id: string, limit: number) => write((tx) => tx.chunkedUploads.clearClosed(id, limit));
      expect([await left(), await store.metadata.read.chunkedUploads.withPartsLeft(1)]).toEqual([
        [started.id, bareStarted.id],
        [started.id],
      ]);
      expect(store.deletionMarks()).toBeGreaterThan(0);
      expect(await write((tx) => tx.chunkedUploads.forgetClosed(1e15, 10))).toBe(0);
      expect([await clear(started.id, 600), await clear(bareStarted.id, 699), await left()]).toEqual([
        true,
        true,
        [started.id, bareStarted.id],
      ]);
      expect([await clear(started.id, 600), await left(), await clear(started.id, 1)]).toEqual([
        false,
        [bareStarted.id],
        false,
      ]);
      expect([await clear(bareStarted.id, 1), await clear(bareStarted.id, 1), await left()]).toEqual([true, false, []]);
      const all = await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10_000));
      expect(all).toHaveLength(2397);
      for (const { part } of kept) expect(all).not.toContain(`${started.id} ${part}`);
      expect([await partsOf(), await partsOf(bareStarted.id)]).toEqual([[], []]);
      expect(await write((tx) => tx.chunkedUploads.forgetClosed(1e15, 10))).toBe(2);
    });

    it('replace several parts by one, or by none, and mark exactly the blobs of these', async () => {
      await open();
      for (const number of [1, 2, 3, 4]) await put(part(number, 1000 * number));
      const merged: NewPart = {
        ...part(2, 5000),
        blob: { blobId: 'merged', sizeBytes: 5000, inline: null, crc32: 1 },
        isCut: true,
      };
      const sequence = await write((tx) =>
        tx.chunkedUploads.replaceParts(started.id, { first: 2, last: 3 }, merged, 3000),
      );
      expect(sequence).toBe(5);
      expect(
        (await partsOf()).map(({ part: number, sequence: at, isCut, blob }) => [number, at, isCut, blob.sizeBytes]),
      ).toEqual([
        [1, 1, undefined, 1000],
        [2, 5, true, 5000],
        [4, 4, undefined, 4000],
      ]);
      expect(await find()).toMatchObject({ storedBytes: 10_000, revision: 5, activeAt: 3000 });
      expect(await toDelete()).toEqual(['part-2-2000', 'part-3-3000']);
      await write((tx) => tx.chunkedUploads.replaceParts(started.id, { first: 3, last: 2048 }, undefined, 4000));
      expect(await find()).toMatchObject({ storedBytes: 6000, revision: 6 });
      expect((await partsOf()).map(({ part: number }) => number)).toEqual([1, 2]);
    });

    it('note their writer, a late size, and parts as cut', async () => {
      await open(bareStarted);
      await put(part(1), { id: bareStarted.id });
      await write((tx) => tx.chunkedUploads.setWriter(bareStarted.id, 'w'));
      await write((tx) => tx.chunkedUploads.declareSize(bareStarted.id, 700));
      await write((tx) => tx.chunkedUploads.markCut(bareStarted.id, 1));
      expect(await find(bareStarted.id)).toMatchObject({ writer: 'w', declaredBytes: 700 });
      expect(await partsOf(bareStarted.id)).toMatchObject([{ part: 1, isCut: true }]);
      await write((tx) => tx.chunkedUploads.setWriter(bareStarted.id, null));
      expect((await find(bareStarted.id))!.writer).toBe(null);
    });

    it('take the parts of another upload behind their own', async () => {
      await open();
      await open(bareStarted);
      await put(part(1, 1000));
      await put(part(2, 2000), { id: bareStarted.id });
      await put(part(1, 3000), { id: bareStarted.id });
      await write((tx) => tx.chunkedUploads.takeParts(bareStarted.id, started.id, 1));
      expect((await partsOf()).map(({ part: number, blob }) => [number, blob.sizeBytes])).toEqual([
        [1, 1000],
        [2, 3000],
        [3, 2000],
      ]);
      expect(await find()).toMatchObject({ storedBytes: 6000, revision: 3 });
      expect(await find(bareStarted.id)).toMatchObject({ storedBytes: 0 });
      expect(await partsOf(bareStarted.id)).toEqual([]);
      expect(await toDelete()).toEqual([]);
    });

    it('mark exactly their own blobs for deletion when they are aborted', async () => {
      await open();
      await open(bareStarted);
      await put(part(1));
      await put(part(2, 5, Buffer.from('inner')));
      await put(part(9), { id: 'upload-2' });
      await write((tx) => tx.chunkedUploads.abort(started.id, 3000));
      expect(await find()).toMatchObject({ state: 'aborted', closedAt: 3000, storedBytes: 0, outcome: null });
      expect([await partsOf(), await toDelete(), store.deletionMarks()]).toEqual([[], ['part-1-20000'], 1]);
      expect(await partsOf('upload-2')).toHaveLength(1);
    });

    it('are found once they are idle, longest idle first', async () => {
      for (const [id, startedAt] of [
        ['c', 30],
        ['a', 10],
        ['b', 20],
        ['closed', 5],
      ] as const)
        await open({ ...started, id, startedAt });
      await write((tx) => tx.chunkedUploads.abort('closed', 6));
      expect(await store.metadata.read.chunkedUploads.idle(20, 10)).toEqual(['a', 'b']);
      expect(await store.metadata.read.chunkedUploads.idle(1000, 2)).toEqual(['a', 'b']);
      await write((tx) => tx.chunkedUploads.keepOpen('closed', 2000));
      expect(await find('closed')).toMatchObject({ state: 'aborted', closedAt: 6 });
      await put(part(1), { id: 'a', at: 500 });
      expect(await store.metadata.read.chunkedUploads.idle(100, 10)).toEqual(['b', 'c']);
      await write((tx) => tx.chunkedUploads.keepOpen('b', 400));
      expect(await store.metadata.read.chunkedUploads.idle(400, 10)).toEqual(['c', 'b']);
    });

    it('are removed by the time of their closing, up to the limit', async () => {
      for (const id of ['a', 'b', 'open']) await open({ ...started, id });
      await write((tx) => tx.chunkedUploads.abort('a', 3000));
      await write((tx) => tx.chunkedUploads.complete('b', { contentId: 'whole', outcome: completed }, 3001));
      const forget = (instant: number, limit = 10) => write((tx) => tx.chunkedUploads.forgetClosed(instant, limit));
      expect([await forget(2999), await forget(3000), await forget(1e15, 0), await forget(1e15)]).toEqual([0, 1, 0, 1]);
      expect([await find('a'), await find('b'), (await find('open'))?.state]).toEqual([undefined, undefined, 'open']);
    });
  });
}
