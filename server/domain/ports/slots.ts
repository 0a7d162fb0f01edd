/** A slot of one request. */
export interface RequestSlot {
  /** Names the kind of slots and the account that has them. */
  readonly key: string;
  /** Names the holder, uniquely. */
  readonly id: string;
}

/** A slot that a request needs, and how many its key has. */
export interface WantedSlot {
  readonly slot: RequestSlot;
  readonly limit: number;
}

/** The bounds of a wait for a slot. */
export interface SlotWait {
  /** The most requests that wait for a slot of the key. */
  readonly maxWaiting: number;
  /** The longest wait, in milliseconds. */
  readonly withinMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** How a wait ended: with the slot, refused because too many wait, or after its time or by its signal. */
export type SlotOutcome = 'taken' | 'full' | 'ended';

/** A slot that is not renewed for this long is free again, because its process has died. */
export const slotLeaseMs = 60_000;

/**
 * Slots limit how many requests run at the same time. `Admission.admit()` takes them, until `now + slotLeaseMs`, unless
 * others wait for them. `now` is
 * in milliseconds since the epoch.
 */
export interface Slots {
  /** Extends the lease of a slot to `now + slotLeaseMs`. Does nothing when it was released or has expired. */
  renew(slot: RequestSlot, now: number): Promise<void>;
  /** Takes a slot, or waits for one behind those who wait already. Without `taken` it holds none, and waits no more. */
  wait(wanted: WantedSlot, bounds: SlotWait, now: number): Promise<SlotOutcome>;
  /** Gives a slot back, to the first that waits for one. May be called twice. */
  release(slot: RequestSlot, now: number): Promise<void>;
}
