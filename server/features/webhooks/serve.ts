import { allowedAddress, isAllowedUrl } from '#server/backends/outbound/allowed-address.ts';
import type { Given } from '#server/compose/given.ts';
import { webhookSender } from './backends/send-webhook.ts';
import { webhookQueue } from './backends/webhook-queue.ts';
import { eventsHandlers } from './handlers/events.ts';
import { webhookBody } from './handlers/webhook-body.ts';

/** Delivers events to webhooks. */
export function serve({ config, stores, core, streamsEnd, log }: Given) {
  const isAllowed = allowedAddress(config.events.allowPrivate);
  const { eventSignals } = stores;
  const queue = webhookQueue({
    ...stores,
    signals: eventSignals,
    sender: webhookSender({ isAllowed }),
    bodyOf: webhookBody,
    onFault: (error) => log.error({ job: 'webhooks', error }, 'fault'),
  });
  return {
    handlers: () =>
      eventsHandlers({
        ...core,
        isAllowedUrl: (url) => isAllowedUrl(url, isAllowed),
        onDeliveries: queue.nudge,
        eventSignals,
        stopping: streamsEnd,
      }),
    work: queue,
  };
}
