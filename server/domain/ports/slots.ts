/** A place that one request holds. */
export interface Slot {
  /** Names the places, and the account that has them. */
  readonly key: string;
  /** Names the holder; unique. */
  readonly id: string;
}

/** A slot that is not renewed for so long is free again: the process that held it has died. */
export const slotLeaseMs = 60_000;

/** Places for things that run at the same time. `now` is in milliseconds since the epoch. */
export interface Slots {
  /** Takes a slot until `now + slotLeaseMs`. Returns false when all `limit` places under the key are taken. */
  acquire(slot: Slot, limit: number, now: number): Promise<boolean>;
  /** Extends the lease of a slot to `now + slotLeaseMs`. Does nothing when it was released or has expired. */
  renew(slot: Slot, now: number): Promise<void>;
  /** Gives a slot back. May be called twice. */
  release(slot: Slot): Promise<void>;
}
