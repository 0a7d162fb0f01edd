import type { AnnouncedUpload, Announcement } from '../announced-upload.ts';
import type { AnnouncedUploadsTable, ReservedSpace } from '../table.ts';
import type { ChunkedUpload } from '#server/features/uploads/chunked-upload.ts';
import { uploadColumns } from '#server/features/uploads/tables/chunked-uploads.ts';
import { mapped, record, snakeCase, type Fields } from '#server/stores/tables/columns.ts';
import { rowOf, table, type Rows } from '#server/stores/tables/rows.ts';

const announcementFields: Fields<Announcement> = snakeCase('senderHash', 'senderName', 'senderAddress', 'placeFreedAt');

/** The rows of uploads, with what their requests keep of them. */
const joined = 'chunked_uploads JOIN file_request_uploads USING (upload_id)';

const uploads = table(
  joined,
  mapped<AnnouncedUpload, { readonly upload: ChunkedUpload; readonly announcement: Announcement }>(
    record<{ readonly upload: ChunkedUpload; readonly announcement: Announcement }>({
      upload: uploadColumns,
      announcement: record<Announcement>(announcementFields),
    }),
    ({ upload, announcement }) => ({ ...upload, sentTo: upload.sentTo!, announcement }),
    (upload) => ({ upload, announcement: upload.announcement }),
  ),
);

const announcements = table(
  'file_request_uploads',
  record<Announcement & { readonly uploadId: string }>({ uploadId: 'upload_id', ...announcementFields }),
);

/** An upload that holds a place. Parameter: the instant before which an upload was active for the last time. */
const holdsPlace = "state = 'open' AND active_at > ? AND place_freed_at IS NULL";

/** Uploads that are sent to file requests. */
export function announcedUploadsTable(rows: Rows): AnnouncedUploadsTable {
  return {
    findUpload: async (uploadId) => rows.one(uploads, 'WHERE upload_id = ?', uploadId),
    openUploads: async (requestId) => rows.all(uploads, "WHERE sent_to = ? AND state = 'open'", requestId),
    async announce(uploadId, announcement) {
      await rows.write(announcements.insert, ...rowOf(announcements, { uploadId, ...announcement }));
    },
    async announcedOf(requestId, activeAfter, except = '') {
      const of = `FROM ${joined} WHERE sent_to = ? AND ${holdsPlace} AND upload_id <> ?`;
      const [ofFiles, ofBytes] = await Promise.all([
        rows.value<number>(`SELECT count(*) ${of}`, requestId, activeAfter, except),
        rows.value<number>(
          `SELECT CAST(coalesce(sum(declared_bytes), 0) AS BIGINT) ${of}`,
          ...[requestId, activeAfter, except],
        ),
      ]);
      return { files: ofFiles!, bytes: ofBytes! };
    },
    async underWayOf(requestIds, activeAfter) {
      if (requestIds.length === 0) return new Map();
      const ids = requestIds.map(() => '?').join(', ');
      const reserved = await rows.all(
        table(
          `(SELECT request_id, CAST(sum(files) AS BIGINT) AS files, CAST(sum(bytes) AS BIGINT) AS bytes FROM (
            SELECT sent_to AS request_id, 1 AS files, declared_bytes AS bytes FROM ${joined}
              WHERE ${holdsPlace} AND sent_to IN (${ids})
            UNION ALL SELECT request_id, files, bytes FROM file_request_reservations WHERE request_id IN (${ids})
          ) AS each GROUP BY request_id) AS reserved`,
          record<ReservedSpace & { readonly requestId: string }>(snakeCase('requestId', 'files', 'bytes')),
        ),
        '',
        ...[activeAfter, ...requestIds, ...requestIds],
      );
      return new Map(reserved.map(({ requestId, files, bytes }) => [requestId, { files, bytes }]));
    },
    async holdPlace(uploadId) {
      await rows.write('UPDATE file_request_uploads SET place_freed_at = NULL WHERE upload_id = ?', uploadId);
    },
    async freePlaces(requestId, at) {
      await rows.write(
        `UPDATE file_request_uploads SET place_freed_at = ?
         WHERE upload_id IN (SELECT upload_id FROM chunked_uploads WHERE sent_to = ? AND state = 'open')`,
        ...[at, requestId],
      );
    },
  };
}
