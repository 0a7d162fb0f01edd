import { describe, expect, it } from 'vitest';

import type { Share } from '#server/features/shares/share.ts';
import { accountId, content, object, otherId } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The files of links that have several. */
export function bundlesConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: bundles`, () => {
    const share: Share = {
      idHash: 'bundle-1',
      sealedId: 'sealed',
      object: { accountId, space: 'private', key: 'a/' },
      generation: '',
      bundle: 'files',
      fileCount: 3,
      createdAt: 1000,
      expiresAt: 5000,
      maxDownloads: 2,
      remainingDownloads: 2,
      passwordHash: null,
      hasLanding: true,
      title: null,
      message: null,
      downloads: 0,
      revokedAt: null,
    };
    const folder: Share = { ...share, idHash: 'bundle-2', bundle: 'folder', fileCount: null };
    const fileAt = (key: string, more: Partial<typeof object> = {}) => ({
      ...{ ...object, space: 'private' as const, key, contentId: `content-${key}`, generation: `of-${key}` },
      ...more,
    });
    const put = (files: ReadonlyArray<typeof object>, crc32 = 7) =>
      write(async (tx) => {
        for (const file of files) {
          await tx.contents.add({ ...content(file.contentId), crc32 });
          await tx.objects.put(file);
        }
      });
    const files = ['a/1', 'a/b/2', 'a/b/3'].map((key) => fileAt(key));
    const shared = () =>
      write(async (tx) => {
        await tx.shares.add(share);
        await tx.shares.add(folder);
        await tx.bundles.add('bundle-1', [files[2]!, files[0]!, files[1]!]);
      });

    it('list their files in the order of the list, with size, time and checksum', async () => {
      await put(files);
      await shared();
      const { filesOf } = store.metadata.read.bundles;
      const { sizeBytes, createdAt, expiresAt, originalName } = object;
      expect(await filesOf('bundle-1')).toEqual(
        [files[2]!, files[0]!, files[1]!].map(({ key, contentId }, at) => ({
          ...{ accountId, space: 'private', key, contentId, sizeBytes, createdAt, expiresAt, originalName },
          ...{ crc32: 7, number: at + 1 },
        })),
      );
      expect(await filesOf('bundle-2')).toEqual([]);
      expect(await filesOf('none')).toEqual([]);
    });

    it('leave out files that have gone, and keep those whose bytes are replaced', async () => {
      await put(files);
      await shared();
      await write((tx) => tx.objects.remove(files[2]!));
      await put([fileAt('a/1', { contentId: 'new bytes' })], 0xffff_ffff);
      await write((tx) => tx.objects.remove(files[1]!));
      await put([fileAt('a/b/2', { contentId: 'another file', generation: 'another' })]);
      expect(await store.metadata.read.bundles.filesOf('bundle-1')).toMatchObject([
        { key: 'a/1', contentId: 'new bytes', crc32: 0xffff_ffff, number: 2 },
      ]);
    });

    it('return the files of a folder step by step, by key, of one space and one account', async () => {
      await put([
        ...files,
        fileAt('a/', { contentId: 'mark' }),
        fileAt('a', { contentId: 'before' }),
        fileAt('a0', { contentId: 'behind' }),
        fileAt('a/1', { space: 'public', contentId: 'public' }),
        fileAt('a/1', { accountId: otherId, contentId: 'of another' }),
      ]);
      const step = (behind: string | undefined, limit: number) =>
        store.metadata.read.bundles.filesIn({ accountId, space: 'private', folder: 'a/', behind, limit });
      expect((await step(undefined, 2)).map(({ key }) => key)).toEqual(['a/1', 'a/b/2']);
      expect(await step('a/b/2', 2)).toMatchObject([{ key: 'a/b/3', crc32: 7, number: null }]);
    });

    it('stay active and listed without their files, whatever is removed at the name of their folder', async () => {
      await put([...files, fileAt('a/', { contentId: 'mark' })]);
      await shared();
      await write(async (tx) => {
        for (const file of [...files, fileAt('a/')]) await tx.objects.remove(file);
      });
      expect(await write((tx) => tx.shares.countActive(accountId, 2000))).toBe(2);
      const listed = await store.metadata.read.shares.listOf(accountId, 2000, 10);
      expect(listed).toEqual([
        { ...folder, fileExpiresAt: null, fileName: null },
        { ...share, fileExpiresAt: null, fileName: null },
      ]);
      await write(async (tx) => {
        expect(await tx.shares.spend('bundle-1')).toBe(true);
        await tx.shares.returnDownload('bundle-1');
      });
      expect(await store.metadata.read.shares.find('bundle-1')).toEqual(share);
    });

    it('know whether a downloader has bytes left of any download', async () => {
      await shared();
      const downloader = { address: '192.0.2.1', userAgent: 'curl' };
      const download = { id: 'd', idHash: 'bundle-1', downloader, contentId: 'state 1', openedAt: 1000, leftBytes: 1 };
      await write((tx) => tx.shares.addDownload(download));
      const { hasOpenDownload } = store.metadata.read.shares;
      expect(await hasOpenDownload('bundle-1', downloader, 999)).toBe(true);
      expect(await hasOpenDownload('bundle-1', downloader, 1000)).toBe(false);
      expect(await hasOpenDownload('bundle-1', { ...downloader, userAgent: 'wget' }, 999)).toBe(false);
      expect(await hasOpenDownload('bundle-2', downloader, 999)).toBe(false);
      await write((tx) => tx.shares.takeBytes('d', 1, 1001));
      expect(await hasOpenDownload('bundle-1', downloader, 999)).toBe(false);
    });

    it('are removed with their link', async () => {
      await put(files);
      await shared();
      await write((tx) => tx.shares.forgetExpiredBefore(6000, 10));
      expect(await store.metadata.read.bundles.filesOf('bundle-1')).toEqual([]);
    });
  });
}
