/**
 * Quota held for an upload under way, and the blob that its bytes flow into. What a crash leaves behind is found here:
 * a blob without a row is always named by a reservation.
 */
export interface Reservation {
  readonly id: string;
  readonly accountId: string;
  readonly sizeBytes: number;
  readonly blobId: string;
}

export interface ReservationsTable {
  /** Holds the bytes; answers false, and changes nothing, when used and held bytes would pass `quotaBytes`. */
  hold(reservation: Reservation, quotaBytes: number): Promise<boolean>;
  /** Makes an existing reservation larger; answers false, and changes nothing, when that would pass `quotaBytes`. */
  extend(reservationId: string, byBytes: number, quotaBytes: number): Promise<boolean>;
  /** Gives the bytes back; giving back what is not there is no error. */
  release(reservationId: string): Promise<void>;
  /** The blob may have bytes that no row will ever name. */
  doom(blobId: string): Promise<void>;
  all(): Promise<Reservation[]>;
}
