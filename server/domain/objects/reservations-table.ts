/**
 * The quota that an upload holds while its bytes arrive, and the blob that they flow into. After a crash, a blob
 * without a row is always named by a reservation.
 */
export interface Reservation {
  readonly id: string;
  readonly accountId: string;
  readonly sizeBytes: number;
  readonly blobId: string;
}

/** Bytes that are written without being held, and their limits. */
export interface Flow {
  readonly byBytes: number;
  /** The bytes that the upload adds to those stored, as far as known. They must fit in the quota. */
  readonly addedBytes: number;
  readonly quotaBytes: number;
  /** All flowing bytes of the account together may exceed the free quota by this much. */
  readonly beyondBytes: number;
}

export interface ReservationsTable {
  /**
   * Holds the bytes. Returns false and changes nothing if used and held bytes would exceed `quotaBytes`. Does the same
   * if together with all flowing bytes they would exceed it by more than {@link maxReplacingBytes}.
   */
  hold(reservation: Reservation, quotaBytes: number): Promise<boolean>;
  /** Counts bytes that flow under a reservation. Returns false and changes nothing if they exceed a limit. */
  flow(reservationId: string, flow: Flow): Promise<boolean>;
  /** Sets how many flowing bytes a reservation counts. The others are held by now. */
  settle(reservationId: string, flowingBytes: number): Promise<void>;
  /** Makes a reservation larger. Returns false and changes nothing if that would exceed `quotaBytes`. */
  extend(reservationId: string, byBytes: number, quotaBytes: number): Promise<boolean>;
  /** Gives the bytes back. Returns whether there was such a reservation. */
  release(reservationId: string): Promise<boolean>;
  /** Marks a blob for removal: no row will ever name its bytes. */
  doom(blobId: string): Promise<void>;
  all(): Promise<Reservation[]>;
}

declare module '../ports/metadata.ts' {
  interface Tables {
    readonly reservations: ReservationsTable;
  }
}
