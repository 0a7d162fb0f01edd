import type { ReservedSpace, ReservedSpaceTable } from '../table.ts';
import { record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, type TableContext } from '#server/stores/tables/rows.ts';

/** The space that uploads to file requests have reserved while they are under way. */
export function reservedSpaceTable(rows: Rows, { owner }: Pick<TableContext, 'owner'>): ReservedSpaceTable {
  const sumOf = async (of: 'files' | 'bytes', requestId: string) =>
    (await rows.value<number>(
      `SELECT CAST(coalesce(sum(${of}), 0) AS BIGINT) FROM file_request_reservations WHERE request_id = ?`,
      requestId,
    ))!;
  return {
    async reservedOf(requestId): Promise<ReservedSpace> {
      const [ofFiles, ofBytes] = await Promise.all([sumOf('files', requestId), sumOf('bytes', requestId)]);
      return { files: ofFiles, bytes: ofBytes };
    },
    async underWayOf(requestIds, activeAfter) {
      if (requestIds.length === 0) return new Map();
      const among = `request_id IN (${requestIds.map(() => '?').join(', ')})`;
      const reserved = await rows.all(
        table(
          `(SELECT request_id, CAST(sum(files) AS BIGINT) AS files, CAST(sum(bytes) AS BIGINT) AS bytes FROM (
            SELECT request_id, 1 AS files, declared_bytes AS bytes FROM chunked_uploads
              WHERE state = 'open' AND active_at > ? AND place_freed_at IS NULL AND ${among}
            UNION ALL SELECT request_id, files, bytes FROM file_request_reservations WHERE ${among}
          ) AS each GROUP BY request_id) AS reserved`,
          record<ReservedSpace & { readonly requestId: string }>(snakeCase('requestId', 'files', 'bytes')),
        ),
        '',
        ...[activeAfter, ...requestIds, ...requestIds],
      );
      return new Map(reserved.map(({ requestId, files, bytes }) => [requestId, { files, bytes }]));
    },
    async announcedOf(requestId, activeAfter, except = '') {
      const of = `FROM chunked_uploads
        WHERE request_id = ? AND state = 'open' AND active_at > ? AND place_freed_at IS NULL AND upload_id <> ?`;
      const [ofFiles, ofBytes] = await Promise.all([
        rows.value<number>(`SELECT count(*) ${of}`, requestId, activeAfter, except),
        rows.value<number>(
          `SELECT CAST(coalesce(sum(declared_bytes), 0) AS BIGINT) ${of}`,
          ...[requestId, activeAfter, except],
        ),
      ]);
      return { files: ofFiles!, bytes: ofBytes! };
    },
    async reserve(reservationId, requestId, space) {
      await rows.write(
        `INSERT INTO file_request_reservations (reservation_id, request_id, owner, files, bytes)
         VALUES (?, ?, ?, ?, ?)`,
        ...[reservationId, requestId, owner, space.files, space.bytes],
      );
    },
    reserveMore: async (reservationId, bytes) =>
      (await rows.run(
        'UPDATE file_request_reservations SET bytes = bytes + ? WHERE reservation_id = ?',
        bytes,
        reservationId,
      )) === 1,
    release: async (reservationId) =>
      (await rows.run('DELETE FROM file_request_reservations WHERE reservation_id = ?', reservationId)) === 1,
    async releaseOf(requestId) {
      await rows.write('DELETE FROM file_request_reservations WHERE request_id = ?', requestId);
    },
    releaseAll: async (of) =>
      of === undefined
        ? rows.run('DELETE FROM file_request_reservations')
        : rows.run('DELETE FROM file_request_reservations WHERE owner = ?', of),
  };
}
