import { Refusal } from '#server/domain/refusal.ts';
import type { Webhook } from './webhook.ts';

/**
 * Returns a webhook of an account.
 *
 * @throws WEBHOOK_NOT_FOUND, also for one of another account
 */
export async function findWebhook(
  webhooks: { find(webhookId: string): Promise<Webhook | undefined> },
  { accountId, webhookId }: WebhookOf,
): Promise<Webhook> {
  const webhook = await webhooks.find(webhookId);
  if (webhook?.accountId !== accountId) throw new Refusal('WEBHOOK_NOT_FOUND');
  return webhook;
}

/** Names a webhook of an account. */
export interface WebhookOf {
  readonly accountId: string;
  readonly webhookId: string;
}
