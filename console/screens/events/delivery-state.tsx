import type { WebhookDelivery } from '#dist/modules/client/index.js';

import { words } from '../../app/words.ts';

export function DeliveryState({ delivery: { state } }: { readonly delivery: WebhookDelivery }) {
  const tone = state === 'delivered' ? 'good' : state === 'failed' ? 'bad' : '';
  return <span class={`badge ${tone}`}>{words().events.deliveryStates[state]}</span>;
}
