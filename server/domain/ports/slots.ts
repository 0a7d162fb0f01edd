/** A slot that one request holds. */
export interface HeldSlot {
  /** Names the kind of slots and the account that has them. */
  readonly key: string;
  /** Names the holder, uniquely. */
  readonly id: string;
}

/** A slot that is not renewed for this long is free again, because the process that held it has died. */
export const slotLeaseMs = 60_000;

/**
 * Slots limit how many requests run at the same time. `Admission.admit()` takes them, until `now + slotLeaseMs`. `now` is
 * in milliseconds since the epoch.
 */
export interface Slots {
  /** Extends the lease of a slot to `now + slotLeaseMs`. Does nothing when it was released or has expired. */
  renew(slot: HeldSlot, now: number): Promise<void>;
  /** Gives a slot back. May be called twice. */
  release(slot: HeldSlot): Promise<void>;
}
