import type { WebhooksTable } from '../table.ts';
import type { SealedSecrets, Webhook, WebhookChoice, WebhookHealth } from '../webhook.ts';
import { type Columns, type Fields, flag, json, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';
import { deliveriesOf } from './webhook-deliveries.ts';

/** A list as JSON, or NULL. */
function list<T>(name: string): Columns<T | null> {
  return nullable(json<T>(name));
}

const choiceFields: Fields<WebhookChoice> = {
  sealedUrl: 'sealed_url',
  types: list('types'),
  prefixes: list('prefixes'),
  description: 'description',
};

const health = record<WebhookHealth>({
  ...snakeCase('failures', 'failingSince', 'pausedUntil', 'lastSuccessAt', 'lastError'),
});

const sealed = record<SealedSecrets>({ secret: 'sealed_secret', key: 'sealed_key' });
const formerSealed = record<SealedSecrets>({ secret: 'sealed_former_secret', key: 'sealed_former_key' });

const secretFields: Fields<Pick<Webhook, 'sealed' | 'publicKey' | 'formerSealed' | 'formerUntil'>> = {
  sealed,
  publicKey: 'public_key',
  formerSealed: nullable(formerSealed),
  formerUntil: 'former_until',
};

const webhooks = table(
  'webhooks',
  record<Webhook>({
    id: 'webhook_id',
    accountId: 'account_id',
    ...choiceFields,
    format: 'format',
    seesAccount: flag('sees_account'),
    ...secretFields,
    ...snakeCase('createdAt', 'disabledReason', 'writtenSequence', 'replayedSequence', 'replayUntil'),
    health,
  }),
);

const choices = table('webhooks', record<WebhookChoice>(choiceFields));
const secrets = table('webhooks', record(secretFields));
const healths = table('webhooks', health);

/** Endpoints that events are sent to, and what is delivered to them. */
export function webhooksTable(rows: Rows): WebhooksTable {
  return {
    ...deliveriesOf(rows),
    find: async (webhookId) => find(rows, webhookId),
    nextDue: async (webhookId, now) => nextDue(rows, webhookId, now),
    listOf: async (accountId) => rows.all(webhooks, 'WHERE account_id = ? ORDER BY created_at, webhook_id', accountId),
    listAfter: async (webhookId, limit) =>
      rows.all(webhooks, 'WHERE webhook_id > ? ORDER BY webhook_id LIMIT ?', webhookId, limit),
    behind: async (webhookId, limit) =>
      rows.all(
        webhooks,
        `WHERE webhook_id > ? AND disabled_reason IS NULL AND (replay_until IS NOT NULL OR written_sequence <
           (SELECT event_count FROM accounts WHERE accounts.account_id = webhooks.account_id))
         ORDER BY webhook_id LIMIT ?`,
        webhookId,
        limit,
      ),
    async add(webhook, most) {
      const isBelowLimit = '(SELECT COUNT(*) FROM webhooks WHERE account_id = ?) < CAST(? AS BIGINT)';
      return rows.insertIf(webhooks, webhook, isBelowLimit, webhook.accountId, most);
    },
    async change(webhookId, choice, disabledReason) {
      await rows.update(choices, choice, 'webhook_id = ?', webhookId);
      const enable = 'UPDATE webhooks SET disabled_reason = ? WHERE webhook_id = ?';
      await rows.write(enable, disabledReason, webhookId);
    },
    async setSecrets(webhookId, value) {
      await rows.update(secrets, value, 'webhook_id = ?', webhookId);
    },
    async reseal({ id, publicKey, formerUntil, sealed: before }, own, former) {
      const value = { sealed: own, publicKey, formerSealed: former, formerUntil };
      await rows.update(secrets, value, 'webhook_id = ? AND sealed_secret = ?', id, before.secret);
    },
    async renewUrl({ id, sealedUrl: former }, sealedUrl) {
      const renew = 'UPDATE webhooks SET sealed_url = ? WHERE webhook_id = ? AND sealed_url = ?';
      await rows.write(renew, sealedUrl, id, former);
    },
    async setHealth(webhookId, value) {
      await rows.update(healths, value, 'webhook_id = ?', webhookId);
    },
    async disable(webhookId, reason) {
      await rows.write('UPDATE webhooks SET disabled_reason = ? WHERE webhook_id = ?', reason, webhookId);
    },
    async setWritten(webhookId, sequence) {
      await rows.write('UPDATE webhooks SET written_sequence = ? WHERE webhook_id = ?', sequence, webhookId);
    },
    async setReplay(webhookId, replayed, until) {
      const set = 'UPDATE webhooks SET replayed_sequence = ?, replay_until = ? WHERE webhook_id = ?';
      await rows.write(set, replayed, until, webhookId);
    },
    async remove(webhookId) {
      await rows.write('DELETE FROM webhooks WHERE webhook_id = ?', webhookId);
    },
  };
}

async function find(rows: Rows, webhookId: string): Promise<Webhook | undefined> {
  return rows.one(webhooks, where('webhook_id'), webhookId);
}

async function nextDue(rows: Rows, webhookId: string, now: number): Promise<Webhook | undefined> {
  // One step for each webhook with pending deliveries, however many these are.
  for (let behind = webhookId; ;) {
    const next = await rows.value<string>(
      `SELECT webhook_id FROM webhook_deliveries WHERE webhook_id > ? AND due_at IS NOT NULL
       ORDER BY webhook_id LIMIT 1`,
      behind,
    );
    if (next === undefined) return undefined;
    const due = 'SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND due_at <= ? LIMIT 1';
    if ((await rows.value<number>(due, next, now)) === 1) {
      const webhook = await find(rows, next);
      if (webhook && webhook.disabledReason === null && webhook.health.pausedUntil <= now) return webhook;
    }
    behind = next;
  }
}
