import type { EventWebhook } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';

export function WebhookState({ webhook }: { readonly webhook: EventWebhook }) {
  const text = messages().webhooks;
  if (!webhook.enabled) return <span class="badge bad">{text.disabledBy[webhook.disabled_reason ?? 'request']}</span>;
  return webhook.consecutive_failures > 0 ? (
    <span class="badge bad">{text.failing}</span>
  ) : (
    <span class="badge good">{text.works}</span>
  );
}
