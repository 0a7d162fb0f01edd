import type { ReservedSpace, ReservedSpaceTable } from '../table.ts';
import type { Rows, TableContext } from '#server/stores/tables/rows.ts';

/** The space that forms have reserved of file requests while they are under way. */
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
