import type { WebhookSender } from '../sender.ts';
import { checkedPost, type SenderOptions } from '#server/backends/outbound/checked-post.ts';

/** Sends events over a connection of its own for each attempt, to addresses that are checked within it. */
export function webhookSender(options: SenderOptions): WebhookSender {
  const { post } = checkedPost(options);
  return {
    send: ({ url, id, timestamp, signature, body, signal }) =>
      post({
        url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Cubby-Webhooks',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
        },
        body,
        signal,
        redirectAdvice: "Change the webhook's url to where it leads.",
      }),
  };
}
