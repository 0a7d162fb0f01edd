import type { EventWebhook } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { WebhookState } from './webhook-state.tsx';

/** How a webhook does, and what it gets. */
export function WebhookFacts({ webhook }: { readonly webhook: EventWebhook }) {
  const text = messages().webhooks;
  return (
    <section class="card">
      <Facts
        rows={[
          [
            text.state,
            <>
              <WebhookState webhook={webhook} />
              {webhook.last_error !== null && (
                <p class="problem-text">
                  <bdi>{webhook.last_error}</bdi>
                </p>
              )}
            </>,
          ],
          webhook.description !== '' && [text.description, <bdi>{webhook.description}</bdi>],
          [text.types, webhook.types ? <code>{webhook.types.join(', ')}</code> : text.allKinds],
          [text.prefixes, webhook.prefixes ? <code>{webhook.prefixes.join(', ')}</code> : text.allFiles],
          [text.format, text.formats[webhook.format]],
          [text.pending, formatNumber(webhook.pending)],
          [
            text.lastSuccess,
            webhook.last_success_at ? <Time at={webhook.last_success_at} isRelative /> : messages().common.never,
          ],
          [text.formerSecret, webhook.former_secret_until !== null && <Time at={webhook.former_secret_until} />],
          [text.publicKey, <Copyable text={webhook.public_key} label={text.copyPublicKey} />],
        ]}
      />
    </section>
  );
}
