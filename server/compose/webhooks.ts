import { allowedAddress, isAllowedUrl, tokenTargets } from '../backends/webhooks/allowed-address.ts';
import { webhookSender } from '#server/features/webhooks/backends/send-webhook.ts';
import { statusSender } from '#server/features/deploys/backends/send-status.ts';
import { statusQueue } from '#server/features/deploys/backends/status-queue.ts';
import { webhookQueue } from '#server/features/webhooks/backends/webhook-queue.ts';
import type { Config } from '../config/config.ts';
import { webhookBody } from '#server/features/webhooks/handlers/webhook-body.ts';
import type { Log } from '../log.ts';
import type { Stores } from '../stores/open.ts';

/** Builds the delivery of events to webhooks, and of the results of deploys to git hosts. */
export function composeWebhooks({ events }: Config, stores: Stores, log: Log) {
  const isAllowed = allowedAddress(events.allowPrivate);
  const targets = tokenTargets(events.allowPrivate);
  const queue = webhookQueue({
    ...stores,
    signals: stores.eventSignals,
    sender: webhookSender({ isAllowed }),
    bodyOf: webhookBody,
    onFault: (error) => log.error({ job: 'webhooks', error }, 'fault'),
  });
  const statuses = statusQueue({
    ...stores,
    sender: statusSender(targets),
    onFault: (error) => log.error({ job: 'commit-statuses', error }, 'fault'),
  });
  return {
    ports: {
      isAllowedUrl: (url: string) => isAllowedUrl(url, isAllowed),
      isAllowedOrigin: targets.isAllowedOrigin,
      onDeliveries: queue.nudge,
    },
    stop: async () => void (await Promise.all([queue.stop(), statuses.stop()])),
  };
}
