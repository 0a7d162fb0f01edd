import { slotLeaseMs, type HeldSlot, type Slots } from '#server/domain/ports/slots.ts';

/** Slots in the memory of one process. */
export class MemorySlots implements Slots {
  /** The instant at which each lease ends, by the id of its slot, under each key. */
  readonly #leases = new Map<string, Map<string, number>>();

  /** Takes a slot until `now + slotLeaseMs`. Returns false when all `limit` slots of the key are taken. */
  acquire({ key, id }: HeldSlot, limit: number, now: number): boolean {
    const leases = this.#leases.get(key) ?? new Map<string, number>();
    if (leases.size >= limit) for (const [held, endsAt] of leases) if (endsAt <= now) leases.delete(held);
    if (leases.size >= limit) return false;
    this.#leases.set(key, leases.set(id, now + slotLeaseMs));
    return true;
  }

  async renew({ key, id }: HeldSlot, now: number): Promise<void> {
    const leases = this.#leases.get(key);
    if (leases?.has(id)) leases.set(id, now + slotLeaseMs);
  }

  async release({ key, id }: HeldSlot): Promise<void> {
    const leases = this.#leases.get(key);
    leases?.delete(id);
    if (leases?.size === 0) this.#leases.delete(key);
  }
}
