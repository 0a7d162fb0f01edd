import { describe, expect, it } from 'vitest';

import type { Share } from '#server/features/shares/share.ts';
import type { OpenDownloads, SpentDownload } from '#server/features/shares/table.ts';
import { accountId, content, object } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The tables of share links and their downloads. */
export function sharesConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: share links`, () => {
    const share: Share = {
      idHash: 'share-1',
      sealedId: 'sealed',
      object: { accountId, space: 'private', key: 'ä.png' },
      generation: 'generation-1',
      bundle: null,
      fileCount: null,
      createdAt: 1000,
      expiresAt: 5000,
      maxDownloads: 2,
      remainingDownloads: 2,
      passwordHash: 'scrypt$1',
      hasLanding: true,
      title: null,
      message: null,
      downloads: 0,
      revokedAt: null,
    };
    const uncapped: Share = {
      ...share,
      idHash: 'share-2',
      createdAt: 2000,
      maxDownloads: null,
      remainingDownloads: null,
      passwordHash: null,
      hasLanding: false,
    };
    const download: SpentDownload = {
      id: 'download-1',
      idHash: share.idHash,
      downloader: { address: '192.0.2.1', userAgent: 'curl ☁' },
      contentId: 'content-1',
      openedAt: 1000,
      leftBytes: 20,
    };
    const shared = (more: readonly Share[] = []) =>
      write(async (tx) => {
        await tx.contents.add(content('content-1'));
        await tx.objects.put({ ...object, space: 'private', key: 'ä.png', expiresAt: 4000 });
        for (const one of [share, uncapped, ...more]) await tx.shares.add(one);
      });
    const listed = async (now: number, limit = 10) =>
      (await store.metadata.read.shares.listOf(accountId, now, limit)).map(({ idHash }) => idHash);
    const active = (now: number) => write((tx) => tx.shares.countActive(accountId, now));

    it('are found by another hash of their id once they have one, and keep the name of their row', async () => {
      const { read } = store.metadata;
      await write(async (tx) => {
        await tx.shares.add(share);
        await tx.shares.add(uncapped);
      });
      expect(await read.shares.listAfter('', 10)).toEqual([
        { idHash: 'share-1', sealedId: 'sealed' },
        { idHash: 'share-2', sealedId: 'sealed' },
      ]);
      expect(await read.shares.listAfter('share-1', 10)).toHaveLength(1);
      await write((tx) => tx.shares.renewId('share-1', { foundBy: 'renewed', sealedId: 'sealed anew' }));
      const renewed = { ...share, sealedId: 'sealed anew' };
      expect(await read.shares.find('renewed')).toEqual(renewed);
      expect(await read.shares.find('share-1')).toEqual(renewed);
      expect(await read.shares.find('share-2')).toEqual(uncapped);
    });

    it('are returned unchanged', async () => {
      await shared();
      expect(await store.metadata.read.shares.find('share-1')).toEqual(share);
      expect(await store.metadata.read.shares.find('share-2')).toEqual(uncapped);
      expect(await store.metadata.read.shares.find('share-3')).toBeUndefined();
    });

    it('never exceed their cap when they spend and give back', async () => {
      await shared();
      const spend = () => write((tx) => tx.shares.spend('share-1'));
      expect((await Promise.all([spend(), spend(), spend()])).sort()).toEqual([false, true, true]);
      await write((tx) => tx.shares.returnDownload('share-1'));
      expect((await store.metadata.read.shares.find('share-1'))!.remainingDownloads).toBe(1);
      for (let time = 0; time < 3; time++) await write((tx) => tx.shares.returnDownload('share-1'));
      expect((await store.metadata.read.shares.find('share-1'))!.remainingDownloads).toBe(2);
      expect(await write((tx) => tx.shares.spend('share-2'))).toBe(false);
    });

    it('are listed and counted while they last and their own file exists, newest first', async () => {
      await shared([
        { ...share, idHash: 'share-3', remainingDownloads: 0, createdAt: 3000 },
        { ...share, idHash: 'other', object: { ...share.object, key: 'other.png' } },
      ]);
      expect([await listed(3999), await active(3999)]).toEqual([['share-3', 'share-2', 'share-1'], 2]);
      expect([await listed(3999, 2), await listed(3999, 1)]).toEqual([['share-2', 'share-1'], ['share-2']]);
      expect([await listed(4000), await active(4000)], 'the file has expired').toEqual([[], 0]);
      await write((tx) => tx.shares.revoke('share-1', 3500));
      await write((tx) => tx.shares.revoke('share-1', 3600));
      expect((await store.metadata.read.shares.find('share-1'))!.revokedAt).toBe(3500);
      expect([await listed(3999), await active(3999)]).toEqual([['share-3', 'share-2'], 1]);
      await write((tx) =>
        tx.objects.put({ ...object, space: 'private', key: 'ä.png', generation: 'generation-2', expiresAt: null }),
      );
      expect([await listed(3999), await active(3999)], 'another file').toEqual([[], 0]);
    });

    it('lose their file once, and get it back with the generation that they had', async () => {
      const address = share.object;
      await shared([
        { ...share, idHash: 'spent', remainingDownloads: 0 },
        { ...share, idHash: 'elsewhere', object: { ...address, key: 'other.png' } },
      ]);
      await write((tx) => tx.shares.revoke('share-1', 3500));
      const lose = async () => (await write((tx) => tx.linksOfFile.lose(address))).map(({ createdAt }) => createdAt);
      const regain = async (generation: string, now: number) =>
        (await write((tx) => tx.linksOfFile.regain(address, generation, now))).map(({ createdAt }) => createdAt);
      expect([await lose(), await lose()]).toEqual([[uncapped.createdAt], []]);
      expect([await listed(3999), await active(3999)]).toEqual([['spent'], 0]);
      expect([await regain('another', 3999), await regain(share.generation, share.expiresAt)]).toEqual([[], []]);
      expect([await regain(share.generation, 3999), await regain(share.generation, 3999)]).toEqual([
        [uncapped.createdAt],
        [],
      ]);
      expect(await active(3999)).toBe(1);
    });

    it('get no download back after their file was removed', async () => {
      await shared([{ ...share, idHash: 'share-3', remainingDownloads: 0 }]);
      await write((tx) => tx.objects.remove({ accountId, space: 'private', key: 'ä.png' }));
      for (const id of ['share-1', 'share-3']) await write((tx) => tx.shares.returnDownload(id));
      expect((await store.metadata.read.shares.find('share-3'))!.remainingDownloads).toBe(0);
      expect([await listed(3999), await active(3999)]).toEqual([[], 0]);
    });

    it('find the open download that a client can continue', async () => {
      await shared();
      await write((tx) => tx.shares.addDownload(download));
      await write((tx) => tx.shares.addDownload({ ...download, id: 'download-2', openedAt: 1500, leftBytes: 10 }));
      const { idHash, downloader, contentId } = download;
      const of = { idHash, downloader, contentId, openedAfter: 999, leftBytes: 1 };
      const open = async (change: Partial<OpenDownloads> = {}) =>
        (await store.metadata.read.shares.openDownload({ ...of, ...change }))?.id;
      expect(await store.metadata.read.shares.openDownload({ ...of, leftBytes: 20 })).toEqual(download);
      expect([
        await open(),
        await open({ leftBytes: 11 }),
        await open({ openedAfter: 1499 }),
        await open({ openedAfter: 1500 }),
        await open({ openedAfter: 1000, leftBytes: 11 }),
      ]).toEqual(['download-2', 'download-1', 'download-2', undefined, undefined]);
      for (const other of [
        { idHash: 'share-2' },
        { contentId: 'content-2' },
        { downloader: { ...downloader, address: '192.0.2.2' } },
        { downloader: { ...downloader, userAgent: '' } },
      ]) {
        expect(await open(other)).toBeUndefined();
      }
    });

    it('give at most the remaining bytes of a download, which is only removed in the state that was read', async () => {
      await shared();
      await write((tx) => tx.shares.addDownload(download));
      const left = async () => (await write((tx) => tx.shares.findDownload('download-1')))?.leftBytes;
      const taken = await Promise.all(
        [12, 12, 8].map((bytes) => write((tx) => tx.shares.takeBytes('download-1', bytes, 2000))),
      );
      // Which of the two larger ones was first is up to the store.
      expect([taken.toSorted(), taken[2], await left()]).toEqual([[false, true, true], true, 0]);
      await write((tx) => tx.shares.returnBytes('download-1', 5));
      expect(await left()).toBe(5);
      expect(await write((tx) => tx.shares.removeDownload('download-1', 20))).toBe(false);
      expect(await write((tx) => tx.shares.removeDownload('download-1', 5))).toBe(true);
      expect(await left()).toBeUndefined();
      await write((tx) => tx.shares.returnBytes('download-1', 5));
      expect(await write((tx) => tx.shares.takeBytes('download-1', 1, 2000))).toBe(false);
    });

    it('are removed by age, and downloads by their last use, up to the limit', async () => {
      await shared([{ ...share, idHash: 'share-3', expiresAt: 4999 }]);
      for (const [id, idHash, openedAt] of [
        ['a', 'share-1', 1],
        ['b', 'share-1', 1],
        ['c', 'share-3', 9],
      ] as const)
        await write((tx) => tx.shares.addDownload({ ...download, id, idHash, openedAt }));
      await write((tx) => tx.shares.takeBytes('b', 1, 2));
      expect(await write((tx) => tx.shares.forgetDownloadsBefore(3, 1))).toBe(1);
      expect(await write((tx) => tx.shares.findDownload('a'))).toBeUndefined();
      expect(await write((tx) => tx.shares.forgetDownloadsBefore(2, 9))).toBe(0);
      expect(await write((tx) => tx.shares.forgetExpiredBefore(5000, 9))).toBe(1);
      expect(await write((tx) => tx.shares.findDownload('c'))).toBeUndefined();
      expect(await store.metadata.read.shares.find('share-3')).toBeUndefined();
      expect(await store.metadata.read.shares.find('share-1')).toEqual(share);
    });
  });
}
