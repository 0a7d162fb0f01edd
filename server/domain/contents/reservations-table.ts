/**
 * The quota that is reserved for an upload while its bytes arrive, and the blob that they go to. After a crash, a blob
 * without a row is always named by a reservation.
 */
export interface Reservation {
  readonly id: string;
  readonly accountId: string;
  readonly sizeBytes: number;
  readonly blobId: string;
}

/** Bytes that are written without being reserved, and their limits. */
interface InFlight {
  readonly byBytes: number;
  /** The bytes that the upload adds to those stored, as far as known. They must fit in the quota. */
  readonly addedBytes: number;
  readonly quotaBytes: number;
  /** All bytes in flight of the account together may exceed the free quota by this much. */
  readonly beyondBytes: number;
}

export interface ReservationsTable {
  /**
   * Reserves the bytes. Returns false and changes nothing if used and reserved bytes would exceed `quotaBytes`, or if
   * with all bytes in flight they would exceed it by more than `beyondQuota()`.
   */
  add(reservation: Reservation, quotaBytes: number): Promise<boolean>;
  /** Counts bytes in flight under a reservation. Returns false and changes nothing if they exceed a limit. */
  countInFlight(reservationId: string, inFlight: InFlight): Promise<boolean>;
  /** Sets how many bytes a reservation has in flight. The others are reserved by now. */
  setInFlight(reservationId: string, inFlightBytes: number): Promise<void>;
  /** Makes a reservation larger. Returns false and changes nothing if that would exceed `quotaBytes`. */
  extend(reservationId: string, byBytes: number, quotaBytes: number): Promise<boolean>;
  /** Frees the bytes. Returns whether there was such a reservation. */
  release(reservationId: string): Promise<boolean>;
  /**
   * Marks a blob for removal, unless a row names its bytes. An upload that discards its bytes may not know that its
   * transaction was committed. The caller makes sure that no row will name them later.
   */
  markForDeletion(blobId: string): Promise<void>;
  /** Returns the reservations of all processes. */
  all(): Promise<Reservation[]>;
  /** Returns the reservations of one process. */
  ofOwner(owner: string): Promise<Reservation[]>;
}

declare module '../ports/metadata.ts' {
  interface Tables {
    readonly reservations: ReservationsTable;
  }
}
