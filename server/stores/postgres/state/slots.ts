import {
  slotLeaseMs,
  type RequestSlot,
  type SlotOutcome,
  type Slots,
  type SlotWait,
  type WantedSlot,
} from '#server/domain/ports/slots.ts';
import type { StateDatabase } from './database.ts';

/** What this process hears from the database. */
export interface Notifications {
  /**
   * Calls `hear` with each payload from now on, and `missed` after a time in which some may have been lost. A second
   * call replaces both.
   */
  listen(hear: (payload: string) => void, missed: () => void): Promise<void>;
}

interface Waiter {
  readonly slot: RequestSlot;
  readonly end: (outcome: SlotOutcome) => void;
}

/**
 * Slots in rows, exact over all replicas. A row has all holders of a key and those that wait for a slot, so that its
 * lock decides. Each has its replica beside it: the slots of a replica that was given up are free at once.
 * `PostgresRateLimits` takes them. Who releases one gives it to the first that waits, and the database notifies its
 * process.
 */
export class PostgresSlots implements Slots {
  readonly #database: StateDatabase;
  readonly #owner: () => string;
  readonly #notifications: Notifications;
  readonly #waiters = new Map<string, Waiter>();

  /** @param owner returns the id of this replica, which holds the slots */
  constructor(database: StateDatabase, owner: () => string, notifications: Notifications) {
    this.#database = database;
    this.#owner = owner;
    this.#notifications = notifications;
  }

  async wait({ slot, limit }: WantedSlot, bounds: SlotWait, now: number): Promise<SlotOutcome> {
    const { maxWaiting, withinMs, signal } = bounds;
    await this.#notifications.listen(
      (id) => this.#waiters.get(id)?.end('taken'),
      () => void this.#lookAgain(),
    );
    const { promise: ended, resolve } = Promise.withResolvers<SlotOutcome>();
    const giveUp = (): void => resolve('ended');
    const timer = setTimeout(giveUp, withinMs);
    signal.addEventListener('abort', giveUp);
    // Before the statement, because the notification may come before its answer.
    this.#waiters.set(slot.id, { slot, end: resolve });
    try {
      const [row] = await this.#database.run<[string]>(queue, [
        ...[now, slot.key, limit, slot.id, now + withinMs, maxWaiting, slotLeaseMs, this.#owner()],
      ]);
      if (row![0] !== 'waiting') return row![0] as SlotOutcome;
      if (!signal.aborted && (await ended) === 'taken') return 'taken';
      return (await this.#leave(slot)) ? 'taken' : 'ended';
    } catch (error) {
      // It may be in the line, or have the slot.
      this.release(slot, now).catch(() => {});
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      this.#waiters.delete(slot.id);
    }
  }

  async renew({ key, id }: RequestSlot, now: number): Promise<void> {
    await this.#database.run(
      `UPDATE slots SET leases = jsonb_set(leases, ARRAY[$2, '0'], to_jsonb($3::bigint))
       WHERE key = $1 AND (leases -> $2 ->> 0)::bigint > $4`,
      [key, id, now + slotLeaseMs, now],
    );
  }

  async release({ key, id }: RequestSlot, now: number): Promise<void> {
    await this.#database.post(released, [key, id, now, slotLeaseMs]);
  }

  /** Waits no more. Returns true if it was given the slot meanwhile. */
  async #leave({ key, id }: RequestSlot): Promise<boolean> {
    const rows = await this.#database.run(
      `UPDATE slots SET leases = CASE WHEN jsonb_array_length(leases -> $2) = 2 THEN leases ELSE leases - $2 END
       WHERE key = $1 AND leases ? $2 RETURNING jsonb_array_length(leases -> $2) = 2`,
      [key, id],
    );
    return rows[0]?.[0] === 1;
  }

  /** Looks which of those that wait have a slot, because notifications were lost. */
  async #lookAgain(): Promise<void> {
    for (const { slot, end } of [...this.#waiters.values()]) {
      const [row] = await this.#database.read<[number]>(
        'SELECT jsonb_array_length(leases -> $2) FROM slots WHERE key = $1',
        [slot.key, slot.id],
      );
      if (row?.[0] === 2) end('taken');
    }
  }
}

const queue = 'SELECT wait_for_slot($1, $2, $3, $4, $5, $6, $7, $8)';

/** It need not survive a crash of the database: the lease ends by itself. */
const released = `UPDATE slots SET leases = CASE
    WHEN jsonb_path_exists(leases, '$.*[2]') THEN settle_slots(leases - $2, $3, $4) ELSE leases - $2 END
  WHERE key = $1 AND set_config('synchronous_commit', 'off', TRUE) = 'off'`;
