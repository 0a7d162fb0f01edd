import type { DatabaseSync } from 'node:sqlite';

import type { Flow, Reservation, ReservationsTable } from '#server/domain/objects/reservations-table.ts';
import { takeReserved } from './accounts.ts';
import { statement } from './connection.ts';

/** Quota held for uploads under way, over the connection that writes. */
export class SqliteReservations implements ReservationsTable {
  readonly #db: () => DatabaseSync;
  readonly #onDoomed: () => void;

  constructor(db: () => DatabaseSync, onDoomed: () => void) {
    this.#db = db;
    this.#onDoomed = onDoomed;
  }

  async hold({ id, accountId, sizeBytes, blobId }: Reservation, quotaBytes: number): Promise<boolean> {
    if (!takeReserved(this.#db(), accountId, sizeBytes, quotaBytes)) return false;
    statement(
      this.#db(),
      'INSERT INTO reservations (reservation_id, account_id, size_bytes, blob_id) VALUES (?, ?, ?, ?)',
    ).run(id, accountId, sizeBytes, blobId);
    return true;
  }

  async extend(reservationId: string, byBytes: number, quotaBytes: number): Promise<boolean> {
    const row = statement(this.#db(), 'SELECT account_id FROM reservations WHERE reservation_id = ?').get(
      reservationId,
    );
    if (!row || !takeReserved(this.#db(), String(row.account_id), byBytes, quotaBytes)) return false;
    statement(this.#db(), 'UPDATE reservations SET size_bytes = size_bytes + ? WHERE reservation_id = ?').run(
      byBytes,
      reservationId,
    );
    return true;
  }

  /** One conditional update, as for what is held, so that parallel uploads can never pass the limit together. */
  async flow(reservationId: string, { byBytes, addedBytes, quotaBytes, beyondBytes }: Flow): Promise<boolean> {
    const { changes } = statement(
      this.#db(),
      `UPDATE accounts SET flowing_bytes = flowing_bytes + :by
       WHERE account_id = (SELECT account_id FROM reservations WHERE reservation_id = :id)
         AND flowing_bytes + :by <= max(0, :quota - used_bytes - reserved_bytes) + :beyond
         AND (:added = 0 OR used_bytes + reserved_bytes + :added <= :quota)`,
    ).run({ id: reservationId, by: byBytes, added: addedBytes, quota: quotaBytes, beyond: beyondBytes });
    if (changes === 0) return false;
    statement(this.#db(), 'UPDATE reservations SET flowing_bytes = flowing_bytes + ? WHERE reservation_id = ?').run(
      byBytes,
      reservationId,
    );
    return true;
  }

  async settle(reservationId: string, flowingBytes: number): Promise<void> {
    const row = statement(
      this.#db(),
      'SELECT account_id, flowing_bytes FROM reservations WHERE reservation_id = ?',
    ).get(reservationId);
    if (!row) return;
    const settledBytes = Number(row.flowing_bytes) - flowingBytes;
    statement(this.#db(), 'UPDATE accounts SET flowing_bytes = flowing_bytes - ? WHERE account_id = ?').run(
      settledBytes,
      String(row.account_id),
    );
    statement(this.#db(), 'UPDATE reservations SET flowing_bytes = ? WHERE reservation_id = ?').run(
      flowingBytes,
      reservationId,
    );
  }

  async release(reservationId: string): Promise<boolean> {
    const row = statement(
      this.#db(),
      'DELETE FROM reservations WHERE reservation_id = ? RETURNING account_id, size_bytes, flowing_bytes',
    ).get(reservationId);
    if (!row) return false;
    statement(
      this.#db(),
      'UPDATE accounts SET reserved_bytes = reserved_bytes - ?, flowing_bytes = flowing_bytes - ? WHERE account_id = ?',
    ).run(Number(row.size_bytes), Number(row.flowing_bytes), String(row.account_id));
    return true;
  }

  async doom(blobId: string): Promise<void> {
    statement(this.#db(), 'INSERT OR IGNORE INTO doomed_blobs (blob_id) VALUES (?)').run(blobId);
    this.#onDoomed();
  }

  async all(): Promise<Reservation[]> {
    const rows = statement(this.#db(), 'SELECT * FROM reservations').all();
    return rows.map((row) => ({
      id: String(row.reservation_id),
      accountId: String(row.account_id),
      sizeBytes: Number(row.size_bytes),
      blobId: String(row.blob_id),
    }));
  }
}
