import { eventId } from '#server/domain/events/event.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { findWebhook, type WebhookOf } from './find-webhook.ts';

declare module '#server/domain/events/event-details.ts' {
  interface DetailsBySubject {
    /** The id of the one that it is for. */
    readonly webhook: { readonly webhook: string };
  }
}

interface Deps {
  readonly metadata: Writes<'events' | 'webhooks'>;
}

/**
 * Records a test event, which is delivered to one webhook alone. Returns its id.
 *
 * @throws WEBHOOK_NOT_FOUND
 */
export function testWebhook({ metadata }: Deps, which: WebhookOf): Promise<string> {
  return metadata.atomically(
    async (tx) => {
      const { id, accountId } = await findWebhook(tx.webhooks, which);
      const event = { accountId, type: 'webhook.test', key: null, data: { webhook: id } } as const;
      return eventId({ accountId, sequence: await tx.events.add(event, tx.now), at: tx.now });
    },
    { account: which.accountId },
  );
}
