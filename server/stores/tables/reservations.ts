import type { Reservation, ReservationsTable } from '#server/domain/contents/reservations-table.ts';
import { takeReserved } from './accounts.ts';
import { markForDeletion } from './blob-rows.ts';
import { type Fields, record, snakeCase } from './columns.ts';
import { blobIfUnnamed } from './contents.ts';
import { table, type Rows, type TableContext, where } from './rows.ts';

const fields: Fields<Reservation> = {
  id: 'reservation_id',
  ...snakeCase('accountId', 'sizeBytes', 'blobId'),
};

const reservations = table('reservations', record<Reservation>(fields));

const newReservations = table(
  'reservations',
  record<Reservation & { readonly owner: string }>({ ...fields, owner: 'owner' }),
);

const inFlight = table(
  'reservations',
  record<Reservation & { readonly inFlightBytes: number }>({ ...fields, inFlightBytes: 'flowing_bytes' }),
);

/** Quota reserved for uploads under way. */
export function reservationsTable(
  rows: Rows,
  context: Pick<TableContext, 'onMarkedForDeletion' | 'owner'>,
): ReservationsTable {
  const find = async (reservationId: string) => rows.one(inFlight, where('reservation_id'), reservationId);

  return {
    add: async (reservation, quotaBytes) =>
      (await takeReserved(rows, reservation.accountId, reservation.sizeBytes, quotaBytes)) &&
      rows.insert(newReservations, { ...reservation, owner: context.owner }),
    async extend(reservationId, byBytes, quotaBytes) {
      const found = await find(reservationId);
      if (!found || !(await takeReserved(rows, found.accountId, byBytes, quotaBytes))) return false;
      await rows.write(
        'UPDATE reservations SET size_bytes = size_bytes + ? WHERE reservation_id = ?',
        byBytes,
        reservationId,
      );
      return true;
    },
    /** One conditional update, so that parallel uploads never pass the limit together: see domain/account/quota.ts. */
    async countInFlight(reservationId, { byBytes, addedBytes, quotaBytes, beyondBytes }) {
      const changes = await rows.run(
        `UPDATE accounts SET flowing_bytes = flowing_bytes + :by
         WHERE account_id = (SELECT account_id FROM reservations WHERE reservation_id = :id)
           AND (flowing_bytes + :by <= :beyond
             OR used_bytes + reserved_bytes + flowing_bytes + :by <= CAST(:quota AS BIGINT) + :beyond)
           AND (CAST(:added AS BIGINT) = 0 OR used_bytes + reserved_bytes + :added <= :quota)`,
        { id: reservationId, by: byBytes, added: addedBytes, quota: quotaBytes, beyond: beyondBytes },
      );
      if (changes === 0) return false;
      const count = 'UPDATE reservations SET flowing_bytes = flowing_bytes + ? WHERE reservation_id = ?';
      await rows.write(count, byBytes, reservationId);
      return true;
    },
    async setInFlight(reservationId, inFlightBytes) {
      const found = await find(reservationId);
      if (!found) return;
      const settle = 'UPDATE accounts SET flowing_bytes = flowing_bytes - ? WHERE account_id = ?';
      await rows.write(settle, found.inFlightBytes - inFlightBytes, found.accountId);
      const set = 'UPDATE reservations SET flowing_bytes = ? WHERE reservation_id = ?';
      await rows.write(set, inFlightBytes, reservationId);
    },
    async release(reservationId) {
      const found = await rows.change(inFlight, 'DELETE FROM reservations WHERE reservation_id = ?', reservationId);
      if (!found) return false;
      await rows.write(
        `UPDATE accounts SET reserved_bytes = reserved_bytes - ?, flowing_bytes = flowing_bytes - ?
         WHERE account_id = ?`,
        ...[found.sizeBytes, found.inFlightBytes, found.accountId],
      );
      return true;
    },
    markForDeletion: async (blobId) => markForDeletion(rows, context, blobIfUnnamed, blobId),
    all: async () => rows.all(reservations),
    ofOwner: async (owner) => rows.all(reservations, where('owner'), owner),
  };
}
