import { forgetting } from '#server/domain/forgetting.ts';
import { deliveriesKeptMs } from './delivery.ts';

/** Removes deliveries to webhooks that ended 7 days ago. */
export const forgetWebhookDeliveries = forgetting<'webhooks'>((tx, now, limit) =>
  tx.webhooks.forgetEndedBefore(now - deliveriesKeptMs, limit),
);
