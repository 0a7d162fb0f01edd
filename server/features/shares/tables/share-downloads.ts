import type { Downloader, DownloadsTable, SpentDownload } from '../table.ts';
import { record, snakeCase, type Fields } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const downloadFields: Fields<SpentDownload> = {
  id: 'download_id',
  idHash: 'share_id',
  downloader: record<Downloader>(snakeCase('address', 'userAgent')),
  ...snakeCase('contentId', 'openedAt', 'leftBytes'),
};

const downloads = table('share_downloads', record<SpentDownload>(downloadFields));

const newDownloads = table(
  'share_downloads',
  record<SpentDownload & { usedAt: number }>({ ...downloadFields, usedAt: 'used_at' }),
);

/** The downloads that were spent on links. */
export function downloadsTable(rows: Rows): DownloadsTable {
  return {
    openDownload: async ({ idHash, downloader, contentId, openedAfter, leftBytes }) =>
      rows.one(
        downloads,
        `WHERE share_id = ? AND address = ? AND opened_at > ? AND user_agent = ? AND content_id = ? AND left_bytes >= ?
         ORDER BY opened_at DESC, download_id LIMIT 1`,
        ...[idHash, downloader.address, openedAfter, downloader.userAgent, contentId, leftBytes],
      ),
    hasOpenDownload: async (idHash, { address, userAgent }, openedAfter) =>
      (await rows.value<number>(
        `SELECT 1 FROM share_downloads
         WHERE share_id = ? AND address = ? AND opened_at > ? AND user_agent = ? AND left_bytes > 0 LIMIT 1`,
        ...[idHash, address, openedAfter, userAgent],
      )) !== undefined,
    findDownload: async (downloadId) => rows.one(downloads, where('download_id'), downloadId),
    async addDownload(download) {
      await rows.insert(newDownloads, { ...download, usedAt: download.openedAt });
    },
    async takeBytes(downloadId, bytes, now) {
      const take = `UPDATE share_downloads SET left_bytes = left_bytes - ?1, used_at = ?2
        WHERE download_id = ?3 AND left_bytes >= ?1`;
      return (await rows.run(take, bytes, now, downloadId)) === 1;
    },
    async returnBytes(downloadId, bytes) {
      await rows.write(
        'UPDATE share_downloads SET left_bytes = left_bytes + ? WHERE download_id = ?',
        bytes,
        downloadId,
      );
    },
    removeDownload: async (downloadId, leftBytes) =>
      (await rows.run(
        'DELETE FROM share_downloads WHERE download_id = ? AND left_bytes = ?',
        downloadId,
        leftBytes,
      )) === 1,
    forgetDownloadsBefore: async (instant, limit) =>
      rows.removeSome('share_downloads', 'download_id', 'used_at < ? ORDER BY used_at', instant, limit),
  };
}
