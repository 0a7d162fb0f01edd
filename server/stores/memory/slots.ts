import {
  slotLeaseMs,
  type RequestSlot,
  type SlotOutcome,
  type Slots,
  type SlotWait,
  type WantedSlot,
} from '#server/domain/ports/slots.ts';

interface Waiter extends WantedSlot {
  readonly resolve: (outcome: SlotOutcome) => void;
}

/** The slots of a key, and the requests that wait for them in their order. */
interface Line {
  /** The instant at which each lease ends, by the id of its slot. */
  readonly leases: Map<string, number>;
  readonly waiters: Waiter[];
}

/** Slots in the memory of one process. */
export class MemorySlots implements Slots {
  readonly #lines = new Map<string, Line>();

  /** Takes a slot until `now + slotLeaseMs`. Returns false when all `limit` slots of the key are taken or awaited. */
  acquire({ key, id }: RequestSlot, limit: number, now: number): boolean {
    const line = this.#lines.get(key) ?? { leases: new Map(), waiters: [] };
    if (line.leases.size + line.waiters.length >= limit) settle(line, now);
    if (line.leases.size + line.waiters.length >= limit) return false;
    line.leases.set(id, now + slotLeaseMs);
    this.#lines.set(key, line);
    return true;
  }

  wait(wanted: WantedSlot, { maxWaiting, withinMs, signal }: SlotWait, now: number): Promise<SlotOutcome> {
    if (this.acquire(wanted.slot, wanted.limit, now)) return Promise.resolve('taken');
    const line = this.#lines.get(wanted.slot.key);
    if (!line || line.waiters.length >= maxWaiting) return Promise.resolve('full');
    if (signal.aborted) return Promise.resolve('ended');
    return new Promise((resolve) => {
      const end = (outcome: SlotOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const waiter: Waiter = { ...wanted, resolve: end };
      const giveUp = (): void => {
        line.waiters.splice(line.waiters.indexOf(waiter), 1);
        end('ended');
      };
      const timer = setTimeout(giveUp, withinMs);
      signal.addEventListener('abort', giveUp);
      line.waiters.push(waiter);
    });
  }

  async renew({ key, id }: RequestSlot, now: number): Promise<void> {
    const leases = this.#lines.get(key)?.leases;
    if (leases?.has(id)) leases.set(id, now + slotLeaseMs);
  }

  async release({ key, id }: RequestSlot, now: number): Promise<void> {
    const line = this.#lines.get(key);
    if (!line) return;
    line.leases.delete(id);
    settle(line, now);
    if (line.leases.size + line.waiters.length === 0) this.#lines.delete(key);
  }
}

/** Drops what has expired, and gives free slots to those that wait, in their order. */
function settle({ leases, waiters }: Line, now: number): void {
  for (const [id, endsAt] of leases) if (endsAt <= now) leases.delete(id);
  for (let [next] = waiters; next && leases.size < next.limit; [next] = waiters) {
    waiters.shift();
    leases.set(next.slot.id, now + slotLeaseMs);
    next.resolve('taken');
  }
}
