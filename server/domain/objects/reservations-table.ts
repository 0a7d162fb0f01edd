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

/** Bytes that flow without being held, and what they may come to. */
export interface Flow {
  readonly byBytes: number;
  /** What the upload adds to what is stored, as far as is known: so much must fit in the quota. */
  readonly addedBytes: number;
  readonly quotaBytes: number;
  /** All flowing bytes of the account together may pass the room that it has by so much. */
  readonly beyondBytes: number;
}

export interface ReservationsTable {
  /**
   * Holds the bytes; answers false, and changes nothing, when used and held bytes would pass `quotaBytes`, or with all
   * that flows {@link maxReplacingBytes} more than it.
   */
  hold(reservation: Reservation, quotaBytes: number): Promise<boolean>;
  /** Counts bytes that flow under a reservation; answers false, and changes nothing, when they may not. */
  flow(reservationId: string, flow: Flow): Promise<boolean>;
  /** Of what flows under a reservation, so much goes on to count; the rest is held by now. */
  settle(reservationId: string, flowingBytes: number): Promise<void>;
  /** Makes an existing reservation larger; answers false, and changes nothing, when that would pass `quotaBytes`. */
  extend(reservationId: string, byBytes: number, quotaBytes: number): Promise<boolean>;
  /** Gives the bytes back; answers whether there was such a reservation. */
  release(reservationId: string): Promise<boolean>;
  /** The blob may have bytes that no row will ever name. */
  doom(blobId: string): Promise<void>;
  all(): Promise<Reservation[]>;
}

declare module '../ports/metadata.ts' {
  interface Tables {
    readonly reservations: ReservationsTable;
  }
}
