import type { HeldRoom, HeldRoomTable } from '#server/domain/file-requests/table.ts';
import { record, snakeCase } from './columns.ts';
import { table, type Rows, type TableContext } from './rows.ts';

/** The room that uploads to file requests hold while they are under way. */
export function heldRoomTable(rows: Rows, { owner }: Pick<TableContext, 'owner'>): HeldRoomTable {
  const sumOf = async (of: 'files' | 'bytes', requestId: string) =>
    (await rows.value<number>(
      `SELECT CAST(coalesce(sum(${of}), 0) AS BIGINT) FROM file_request_holds WHERE request_id = ?`,
      requestId,
    ))!;
  return {
    async heldOf(requestId): Promise<HeldRoom> {
      const [ofFiles, ofBytes] = await Promise.all([sumOf('files', requestId), sumOf('bytes', requestId)]);
      return { files: ofFiles, bytes: ofBytes };
    },
    async underWayOf(requestIds, activeAfter) {
      if (requestIds.length === 0) return new Map();
      const among = `request_id IN (${requestIds.map(() => '?').join(', ')})`;
      const held = await rows.all(
        table(
          `(SELECT request_id, CAST(sum(files) AS BIGINT) AS files, CAST(sum(bytes) AS BIGINT) AS bytes FROM (
            SELECT request_id, 1 AS files, declared_bytes AS bytes FROM chunked_uploads
              WHERE state = 'open' AND active_at > ? AND place_freed_at IS NULL AND ${among}
            UNION ALL SELECT request_id, files, bytes FROM file_request_holds WHERE ${among}
          ) AS each GROUP BY request_id) AS held`,
          record<HeldRoom & { readonly requestId: string }>(snakeCase('requestId', 'files', 'bytes')),
        ),
        '',
        ...[activeAfter, ...requestIds, ...requestIds],
      );
      return new Map(held.map(({ requestId, files, bytes }) => [requestId, { files, bytes }]));
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
    async hold(holdId, requestId, room) {
      await rows.write(
        'INSERT INTO file_request_holds (hold_id, request_id, owner, files, bytes) VALUES (?, ?, ?, ?, ?)',
        ...[holdId, requestId, owner, room.files, room.bytes],
      );
    },
    holdMore: async (holdId, bytes) =>
      (await rows.run('UPDATE file_request_holds SET bytes = bytes + ? WHERE hold_id = ?', bytes, holdId)) === 1,
    release: async (holdId) => (await rows.run('DELETE FROM file_request_holds WHERE hold_id = ?', holdId)) === 1,
    async releaseOf(requestId) {
      await rows.write('DELETE FROM file_request_holds WHERE request_id = ?', requestId);
    },
    releaseAll: async (of) =>
      of === undefined
        ? rows.run('DELETE FROM file_request_holds')
        : rows.run('DELETE FROM file_request_holds WHERE owner = ?', of),
  };
}
