import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Page, PageRequest } from '#server/domain/page.ts';
import { sequencePage } from '#server/domain/sequence-page.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import { findWebhook, type WebhookOf } from './find-webhook.ts';

interface Deps {
  readonly metadata: Reads<'webhooks'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListDeliveries extends WebhookOf, PageRequest {
  readonly state: DeliveryState | undefined;
}

/**
 * Returns one page of a webhook's deliveries, newest event first.
 *
 * @throws WEBHOOK_NOT_FOUND, INVALID_CONTINUATION_TOKEN
 */
export async function listDeliveries(
  { metadata: { read }, secrets }: Deps,
  { state, limit, cursor, ...which }: ListDeliveries,
): Promise<Page<Delivery>> {
  const { id: webhookId } = await findWebhook(read.webhooks, which);
  const list = { purpose: 'deliveries-cursor', ownerId: webhookId } as const;
  return sequencePage(secrets, list, { limit, cursor }, (before, most) =>
    read.webhooks.scanDeliveries({ webhookId, state, before, limit: most }),
  );
}
