import type { WebhookDelivery } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';

export function DeliveryState({ delivery: { state } }: { readonly delivery: WebhookDelivery }) {
  const tone = state === 'delivered' ? 'good' : state === 'failed' ? 'bad' : '';
  return <span class={`badge ${tone}`}>{messages().webhooks.deliveryStates[state]}</span>;
}
