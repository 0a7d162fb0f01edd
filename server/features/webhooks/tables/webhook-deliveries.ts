import type { Attempt, Delivery, NewDelivery } from '../delivery.ts';
import type { WebhooksTable } from '../table.ts';
import { type Fields, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const newFields: Fields<NewDelivery> = {
  ...snakeCase('webhookId', 'sequence', 'type', 'eventAt', 'orderKey', 'formerKey'),
};

const deliveries = table(
  'webhook_deliveries',
  record<Delivery>({
    ...newFields,
    ...snakeCase('state', 'waitsFor', 'dueAt', 'tries'),
    last: nullable(
      record<Attempt>({ triedAt: 'tried_at', durationMs: 'duration_ms', status: 'status', error: 'error' }),
    ),
    endedAt: 'ended_at',
  }),
  'webhook_id, sequence',
);

const at = where('webhook_id', 'sequence');

/** The owner of a webhook looks for what fails while it can still be mended, so those count that are tried again. */
const inState = {
  any: '',
  pending: `AND state = 'pending'`,
  delivered: `AND state = 'delivered'`,
  failed: `AND (state = 'failed' OR (state = 'pending' AND error IS NOT NULL))`,
};

/** The deliveries of webhooks. */
export function deliveriesOf(rows: Rows) {
  return {
    scanDeliveries: async ({ webhookId, state, before, limit }) =>
      rows.all(
        deliveries,
        `WHERE webhook_id = ? AND sequence < ? ${inState[state ?? 'any']} ORDER BY sequence DESC LIMIT ?`,
        ...[webhookId, before, limit],
      ),
    async countPending(webhookId, limit) {
      const pending = `SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND state = 'pending' LIMIT ?`;
      return (await rows.value<number>(`SELECT COUNT(*) FROM (${pending}) AS pending`, webhookId, limit)) ?? 0;
    },
    removeDeliveries: async (webhookId, limit) =>
      rows.removeSome('webhook_deliveries', 'webhook_id, sequence', 'webhook_id = ?', webhookId, limit),
    async write(delivery, now) {
      const waitsFor = await earlier(rows, delivery);
      const dueAt = waitsFor === null ? now : null;
      const fresh = { state: 'pending', waitsFor, dueAt, tries: 0, last: null, endedAt: null } as const;
      await rows.put(deliveries, { ...delivery, ...fresh });
    },
    async takeDue(webhookId, now, dueAgainAt, limit) {
      const due = 'WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, sequence LIMIT ?';
      const found = await rows.all(deliveries, due, webhookId, now, limit);
      const taken: Delivery[] = [];
      for (const one of found) {
        // Another process may have taken it meanwhile.
        const take = `UPDATE webhook_deliveries SET due_at = ? ${at.text} AND due_at = ?`;
        if ((await rows.run(take, dueAgainAt, webhookId, one.sequence, one.dueAt)) === 1) taken.push(one);
      }
      return taken;
    },
    hasten: async (webhookId, after, now, limit) =>
      rows.run(
        `UPDATE webhook_deliveries SET due_at = ? WHERE webhook_id = ? AND sequence IN (
           SELECT sequence FROM webhook_deliveries WHERE webhook_id = ? AND due_at > ? ORDER BY sequence LIMIT ?)`,
        ...[now, webhookId, webhookId, after, limit],
      ),
    async putBack({ webhookId, sequence, tries }, { triedAt, durationMs, status, error }, dueAt) {
      await rows.write(
        `UPDATE webhook_deliveries SET tries = ?, tried_at = ?, duration_ms = ?, status = ?, error = ?, due_at = ?
         ${at.text} AND state = 'pending'`,
        ...[tries + 1, triedAt, durationMs, status, error, dueAt, webhookId, sequence],
      );
    },
    async end(delivery, attempt, state, now) {
      const { webhookId, sequence, tries, last } = delivery;
      const { triedAt = null, durationMs = null, status = null, error = null } = attempt ?? last ?? {};
      // A replay may have let it wait again while its attempt was under way. What ended must wait for nothing: the end
      // of the other one would make it due.
      const ended = await rows.run(
        `UPDATE webhook_deliveries SET state = ?, tries = ?, tried_at = ?, duration_ms = ?, status = ?, error = ?,
           waits_for = NULL, due_at = NULL, ended_at = ? ${at.text} AND state = 'pending'`,
        ...[state, tries + (attempt ? 1 : 0), triedAt, durationMs, status, error, now, webhookId, sequence],
      );
      if (ended === 1) await release(rows, delivery, now);
    },
    forgetEndedBefore: async (before, limit) =>
      rows.removeSome('webhook_deliveries', 'webhook_id, sequence', 'ended_at < ? ORDER BY ended_at', before, limit),
  } satisfies Partial<WebhooksTable>;
}

/** Returns the latest earlier pending delivery of the same file, whatever its key was or is. */
async function earlier(rows: Rows, { webhookId, sequence, orderKey, formerKey }: NewDelivery): Promise<number | null> {
  let latest: number | null = null;
  for (const key of [orderKey, formerKey]) {
    if (key === null) continue;
    for (const column of ['order_key', 'former_key']) {
      const found = await rows.value<number>(
        `SELECT sequence FROM webhook_deliveries WHERE webhook_id = ? AND ${column} = ? AND ${column} IS NOT NULL
         AND sequence < ? AND state = 'pending' ORDER BY sequence DESC LIMIT 1`,
        ...[webhookId, key, sequence],
      );
      if (found !== undefined && (latest === null || found > latest)) latest = found;
    }
  }
  return latest;
}

/** Makes what waited for a delivery due, or lets it wait for another one of its file. */
async function release(rows: Rows, { webhookId, sequence }: Delivery, now: number): Promise<void> {
  const waiting = await rows.all(deliveries, where('webhook_id', 'waits_for'), webhookId, sequence);
  for (const one of waiting) {
    const waitsFor = await earlier(rows, one);
    const set = `UPDATE webhook_deliveries SET waits_for = ?, due_at = ? ${at.text}`;
    await rows.write(set, waitsFor, waitsFor === null ? now : null, one.webhookId, one.sequence);
  }
}
