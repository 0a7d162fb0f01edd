import { slotLeaseMs, type HeldSlot, type Slots } from '#server/domain/ports/slots.ts';
import type { StateDatabase } from './database.ts';

/**
 * Slots in rows, exact over all replicas. A row has all holders of a key, so that one conditional statement on it
 * decides. Each holder has its replica beside it: the slots of a replica that was given up are free at once.
 */
export class PostgresSlots implements Slots {
  readonly #database: StateDatabase;
  readonly #owner: () => string;

  /** @param owner returns the id of this replica */
  constructor(database: StateDatabase, owner: () => string) {
    this.#database = database;
    this.#owner = owner;
  }

  async acquire({ key, id }: HeldSlot, limit: number, now: number): Promise<boolean> {
    // The row is locked before the condition is read, also when two requests insert it. A repeated statement does not
    // count its own slot.
    const rows = await this.#database.run(
      `INSERT INTO slots AS kept (key, held)
       SELECT $1, jsonb_build_object($2::text, jsonb_build_array($3::bigint, $4::text)) WHERE $5::bigint > 0
       ON CONFLICT (key) DO UPDATE SET held = excluded.held || ${live}
       WHERE (SELECT count(*) FROM jsonb_object_keys(${live} - $2)) < $5
       RETURNING 1`,
      [key, id, now + slotLeaseMs, this.#owner(), limit, now],
    );
    return rows.length === 1;
  }

  async renew({ key, id }: HeldSlot, now: number): Promise<void> {
    await this.#database.run(
      `UPDATE slots SET held = jsonb_set(held, ARRAY[$2, '0'], to_jsonb($3::bigint))
       WHERE key = $1 AND (held -> $2 ->> 0)::bigint > $4`,
      [key, id, now + slotLeaseMs, now],
    );
  }

  async release({ key, id }: HeldSlot): Promise<void> {
    await this.#database.run('UPDATE slots SET held = held - $2 WHERE key = $1', [key, id]);
  }
}

/** The holders whose lease has not ended. */
const live = `(SELECT coalesce(jsonb_object_agg(holder, lease), '{}') FROM jsonb_each(kept.held) AS one (holder, lease)
  WHERE (lease ->> 0)::bigint > $6)`;
