import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { formatCursor, parseCursor } from '#server/domain/sequence-cursor.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import { findWebhook, type WebhookOf } from './find-webhook.ts';

interface Deps {
  readonly metadata: Reads<'webhooks'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListDeliveries extends WebhookOf {
  readonly state: DeliveryState | undefined;
  /** Deliveries on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * Returns one page of a webhook's deliveries, newest event first.
 *
 * @throws WEBHOOK_NOT_FOUND, INVALID_CONTINUATION_TOKEN
 */
export async function listDeliveries(
  { metadata, secrets }: Deps,
  { state, limit, cursor, ...which }: ListDeliveries,
): Promise<DeliveryPage> {
  const { id: webhookId } = await findWebhook(metadata.read.webhooks, which);
  const list = { purpose: 'deliveries-cursor', ownerId: webhookId } as const;
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : parseCursor(secrets, list, cursor);
  // One more than the limit, to know whether another page follows.
  const found = await metadata.read.webhooks.scanDeliveries({ webhookId, state, before, limit: limit + 1 });
  const deliveries = found.slice(0, limit);
  const next = found.length > limit ? formatCursor(secrets, list, deliveries.at(-1)!.sequence) : undefined;
  return { deliveries, next };
}
