import { describe, expect, it } from 'vitest';

import { accountId, content, object } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** What a check of the store compares, and how far the scrub has come. */
export function storeCheckConformance(store: StoreInTest): void {
  const { name, write } = store;
  const differences = () => store.metadata.read.storeCheck.differences();
  const addFile = () =>
    write(async (tx) => {
      await tx.contents.add(content('content-1'));
      await tx.objects.put(object);
    });

  describe(`${name}: the check of the store`, () => {
    it('finds counters that differ from their sums, and sets them', async () => {
      expect(await differences()).toEqual([]);
      await addFile();
      await write((tx) => tx.accounts.reserve(accountId, 11, 1e9));
      await write((tx) => tx.contents.share('content-1'));
      const found = await differences();
      expect(found).toEqual([
        { counter: 'accounts.used_bytes', subject: accountId, stored: 0, actual: 3 },
        { counter: 'accounts.used_objects', subject: accountId, stored: 0, actual: 1 },
        { counter: 'accounts.reserved_bytes', subject: accountId, stored: 11, actual: 0 },
        { counter: 'contents.pointing_rows', subject: 'content-1', stored: 2, actual: 1 },
      ]);
      for (const difference of found) await write((tx) => tx.storeCheck.settle(difference));
      expect(await differences()).toEqual([]);
    });

    it('finds contents without a file, and removes them with their blobs', async () => {
      await addFile();
      await write((tx) => tx.contents.add(content('content-2')));
      expect(await store.metadata.read.storeCheck.unusedContents()).toEqual(['content-2']);
      for (const id of ['content-1', 'content-2']) await write((tx) => tx.storeCheck.removeUnused(id));
      expect(await store.metadata.read.storeCheck.unusedContents()).toEqual([]);
      expect(await store.metadata.read.contents.find('content-1')).toBeDefined();
      expect(await store.metadata.read.contents.marked('', 10)).toEqual(['content-2-blob']);
      expect(await store.metadata.read.storeCheck.impossibleDays()).toEqual([]);
    });

    it('lists contents with the hashes of their files', async () => {
      await addFile();
      await write((tx) => tx.contents.add(content('content-2')));
      const all = [
        { contentId: 'content-1', sizeBytes: 3, sha256: object.sha256, etag: object.etag },
        { contentId: 'content-2', sizeBytes: 3, sha256: null, etag: null },
      ];
      const { hashed, filesOf, contentsOfBlob } = store.metadata.read.storeCheck;
      expect(await hashed('', 10)).toEqual(all);
      expect(await hashed('', 1)).toEqual([all[0]]);
      expect(await hashed('content-1', 10)).toEqual([all[1]]);
      expect(await filesOf('content-1')).toEqual([{ accountId, space: object.space, key: object.key }]);
      expect(await contentsOfBlob('content-1-blob')).toEqual(['content-1']);
      expect(await contentsOfBlob('nothing')).toEqual([]);
    });

    it('writes the bytes of small blobs anew, and nothing of larger ones', async () => {
      const small = { blobId: 'small', sizeBytes: 1, inline: new Uint8Array([1]) };
      const large = { blobId: 'large', sizeBytes: 3, inline: null };
      await write((tx) => tx.contents.add({ id: 'content-1', sizeBytes: 4, crc32: 1, blobs: [small, large] }));
      for (const id of ['small', 'large', 'nothing'])
        await write((tx) => tx.contents.replaceInline('content-1', id, new Uint8Array([7])));
      const found = await store.metadata.read.contents.find('content-1');
      expect(found!.blobs.map(({ inline }) => inline && [...inline])).toEqual([[7], null]);
    });

    it('writes the bytes of an only blob anew, and finds its content only if they are not in the row', async () => {
      const blob = (blobId: string, inline: Uint8Array | null) => ({ blobId, sizeBytes: 1, inline });
      await write((tx) => tx.contents.add(content('content-1', [blob('small', new Uint8Array([1]))])));
      await write((tx) => tx.contents.add(content('content-2', [blob('large', null)])));
      for (const [id, blobId] of [
        ['content-1', 'small'],
        ['content-2', 'large'],
      ] as const)
        await write((tx) => tx.contents.replaceInline(id, blobId, new Uint8Array([7])));
      const { find } = store.metadata.read.contents;
      expect((await find('content-1'))!.blobs[0]!.inline).toEqual(new Uint8Array([7]));
      expect((await find('content-2'))!.blobs[0]!.inline).toBeNull();
      const { contentsOfBlob } = store.metadata.read.storeCheck;
      expect([await contentsOfBlob('small'), await contentsOfBlob('large')]).toEqual([[], ['content-2']]);
    });

    it('notes damaged contents until they are whole or gone', async () => {
      const count = () => store.metadata.read.storeCheck.damagedCount();
      const news: boolean[] = [];
      await addFile();
      await write((tx) => tx.contents.add(content('content-2')));
      for (const id of ['content-1', 'content-1', 'content-2', 'nothing'])
        news.push(await write((tx) => tx.storeCheck.noteDamage(id, true)));
      expect(news).toEqual([true, false, true, false]);
      expect(await count()).toBe(2);
      expect(await write((tx) => tx.storeCheck.noteDamage('content-1', false))).toBe(true);
      expect(await write((tx) => tx.storeCheck.noteDamage('content-1', false))).toBe(false);
      await write((tx) => tx.contents.release('content-2'));
      expect(await count()).toBe(0);
    });

    it('keeps how far the scrub has come', async () => {
      const { scrubPosition } = store.metadata.read.storeCheck;
      expect(await scrubPosition()).toBeUndefined();
      const one = { beganAt: 1, readBytes: 2, readFiles: 1, lastContentId: 'a', requestedAt: null, endedAt: null };
      const other = { ...one, beganAt: 3, readBytes: 2 ** 40, lastContentId: 'b', requestedAt: 3, endedAt: 4 };
      await write((tx) => tx.storeCheck.saveScrubPosition(one));
      expect(await scrubPosition()).toEqual(one);
      await write((tx) => tx.storeCheck.saveScrubPosition(other));
      expect(await scrubPosition()).toEqual(other);
    });
  });
}
