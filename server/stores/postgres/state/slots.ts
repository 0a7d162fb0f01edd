import { slotLeaseMs, type HeldSlot, type Slots } from '#server/domain/ports/slots.ts';
import type { StateDatabase } from './database.ts';

/**
 * Slots in rows, exact over all replicas. A row has all holders of a key, so that its lock decides. Each holder has its
 * replica beside it: the slots of a replica that was given up are free at once. `PostgresRateLimits` takes them.
 */
export class PostgresSlots implements Slots {
  readonly #database: StateDatabase;

  constructor(database: StateDatabase) {
    this.#database = database;
  }

  async renew({ key, id }: HeldSlot, now: number): Promise<void> {
    await this.#database.run(
      `UPDATE slots SET held = jsonb_set(held, ARRAY[$2, '0'], to_jsonb($3::bigint))
       WHERE key = $1 AND (held -> $2 ->> 0)::bigint > $4`,
      [key, id, now + slotLeaseMs, now],
    );
  }

  async release({ key, id }: HeldSlot): Promise<void> {
    await this.#database.post(released, [key, id]);
  }
}

/** It need not survive a crash of the database: the lease ends by itself. */
const released = `UPDATE slots SET held = held - $2 WHERE key = $1 AND set_config('synchronous_commit', 'off', TRUE) = 'off'`;
