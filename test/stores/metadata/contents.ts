import { describe, expect, it } from 'vitest';

import { content, object, readAgain } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The tables of contents, their blobs and the blobs to delete. */
export function contentsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: contents`, () => {
    const blobs = [
      { blobId: 'b-2', sizeBytes: 5, inline: null },
      { blobId: 'b-1', sizeBytes: 3, inline: new Uint8Array([0, 255, 7]) },
      { blobId: 'b-3', sizeBytes: 2 ** 40, inline: null },
    ];

    it('are returned with their blobs in order and their inline bytes unchanged', async () => {
      await write((tx) => tx.contents.add(content('content-1', blobs)));
      expect(await store.metadata.read.contents.find('content-1')).toEqual(readAgain(content('content-1', blobs)));
      expect(await write((tx) => tx.contents.find('content-1'))).toEqual(readAgain(content('content-1', blobs)));
      expect(await store.metadata.read.contents.find('nothing')).toBeUndefined();
    });

    it('are returned with their only blob, inline or in the store, and its checksum', async () => {
      const checksum = { algorithm: 'SHA256', value: 'YQ==' } as const;
      const only = [{ ...blobs[0]!, checksum }, blobs[1]!, blobs[2]!];
      for (const [at, blob] of only.entries()) {
        const one = content(`content-${at}`, [blob]);
        await write((tx) => tx.contents.add(one));
        expect(await store.metadata.read.contents.find(one.id)).toEqual(readAgain(one));
        expect(await write((tx) => tx.contents.find(one.id))).toEqual(readAgain(one));
      }
      const asked = only.map(({ blobId }) => blobId);
      expect(await store.metadata.read.contents.unnamed(asked)).toEqual(['b-1']);
      for (const at of only.keys()) await write((tx) => tx.contents.release(`content-${at}`));
      expect((await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).sort()).toEqual(['b-2', 'b-3']);
    });

    it('keep an empty blob inline, and do not treat it as a blob in the store', async () => {
      await write((tx) =>
        tx.contents.add(content('empty', [{ blobId: 'b', sizeBytes: 0, inline: new Uint8Array(0) }])),
      );
      expect(await store.metadata.read.contents.find('empty')).toEqual(
        readAgain(content('empty', [{ blobId: 'b', sizeBytes: 0, inline: new Uint8Array(0) }])),
      );
      await write((tx) => tx.contents.release('empty'));
      expect(await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual([]);
    });

    it('mark their blobs for deletion, but not inline bytes, when the last row releases them', async () => {
      await write((tx) => tx.contents.add(content('content-1', blobs)));
      await write((tx) => tx.contents.release('content-1'));
      expect(await store.metadata.read.contents.find('content-1')).toBeUndefined();
      expect((await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).sort()).toEqual(['b-2', 'b-3']);
      expect(store.deletionMarks()).toBe(1);
    });

    it('send no notice when no blobs must be removed, and ignore a second release', async () => {
      await write((tx) => tx.contents.add(content('content-1', [blobs[1]!])));
      await write((tx) => tx.contents.release('content-1'));
      await write((tx) => tx.contents.release('content-1'));
      expect(store.deletionMarks()).toBe(0);
    });

    it('cannot be released while a row points to them', async () => {
      await write(async (tx) => {
        await tx.contents.add(content('content-1'));
        await tx.objects.put(object);
      });
      await expect(write((tx) => tx.contents.release('content-1'))).rejects.toThrow();
      expect(await store.metadata.read.contents.find('content-1')).toBeDefined();
    });

    it('return at most the requested number of blobs to delete, and forget the named ones', async () => {
      const many = Array.from({ length: 7 }, (_, number) => `b-${number}`);
      await write(async (tx) => {
        for (const blobId of many) await tx.reservations.markForDeletion(blobId);
        await tx.reservations.markForDeletion('b-0');
      });
      expect(await store.metadata.atomically((tx) => tx.contents.blobsToDelete(3))).toHaveLength(3);
      await write((tx) => tx.contents.forgetDeleted([...many.slice(0, 6), 'nothing']));
      expect(await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10))).toEqual(['b-6']);
    });

    it('count the blobs that are marked for deletion, up to a limit', async () => {
      expect(await store.metadata.read.contents.countMarked(10)).toBe(0);
      await write(async (tx) => {
        for (const blobId of ['b-1', 'b-2', 'b-3']) await tx.reservations.markForDeletion(blobId);
      });
      expect(await store.metadata.read.contents.countMarked(10)).toBe(3);
      expect(await store.metadata.read.contents.countMarked(2)).toBe(2);
    });

    it('tell which blobs nothing names', async () => {
      await write(async (tx) => {
        await tx.contents.add(content('content-1', blobs));
        await tx.reservations.markForDeletion('doomed');
      });
      const asked = ['b-1', 'b-2', 'b-3', 'doomed', 'orphan', 'other'];
      // Inline bytes are in no store, so a blob with their id is an orphan.
      const expected = ['b-1', 'orphan', 'other'];
      expect((await store.metadata.read.contents.unnamed(asked)).sort()).toEqual(expected);
      expect((await write((tx) => tx.contents.unnamed(asked))).sort()).toEqual(expected);
      expect(await store.metadata.read.contents.unnamed([])).toEqual([]);
      const many = Array.from({ length: 100 }, (_, number) => `orphan-${number}`);
      expect(await store.metadata.read.contents.unnamed(many)).toHaveLength(100);
    });

    it('keep bytes that a row names when who received them discards them, as after an unknown commit', async () => {
      const only = content('only', [{ blobId: 'b-only', sizeBytes: 5, inline: null }]);
      await write(async (tx) => {
        await tx.contents.add(content('content-1', blobs));
        await tx.contents.add(only);
      });
      await write(async (tx) => {
        for (const blobId of ['b-1', 'b-2', 'b-3', 'b-only', 'b-lost']) await tx.reservations.markForDeletion(blobId);
      });
      const marked = await store.metadata.atomically((tx) => tx.contents.blobsToDelete(10));
      // Inline bytes are in no store, so nothing is lost with an id of theirs.
      expect(marked.sort()).toEqual(['b-1', 'b-lost']);
    });

    it('refuse an id twice', async () => {
      await write((tx) => tx.contents.add(content('content-1')));
      await expect(write((tx) => tx.contents.add(content('content-1')))).rejects.toThrow();
    });
  });
}
