import type { EventWebhook } from '#dist/modules/client/index.js';

import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Copyable } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';
import { WebhookState } from './webhook-state.tsx';

/** How a webhook does, and what it gets. */
export function WebhookFacts({ webhook }: { readonly webhook: EventWebhook }) {
  const text = words().events;
  return (
    <section class="card">
      <dl class="facts">
        <dt>{text.state}</dt>
        <dd>
          <WebhookState webhook={webhook} />
          {webhook.last_error !== null && (
            <p class="problem-text">
              <bdi>{webhook.last_error}</bdi>
            </p>
          )}
        </dd>
        {webhook.description !== '' && (
          <>
            <dt>{text.description}</dt>
            <dd>
              <bdi>{webhook.description}</bdi>
            </dd>
          </>
        )}
        <dt>{text.types}</dt>
        <dd>{webhook.types ? <code>{webhook.types.join(', ')}</code> : text.allKinds}</dd>
        <dt>{text.prefixes}</dt>
        <dd>{webhook.prefixes ? <code>{webhook.prefixes.join(', ')}</code> : text.allFiles}</dd>
        <dt>{text.format}</dt>
        <dd>{text.formats[webhook.format]}</dd>
        <dt>{text.pending}</dt>
        <dd>{formatNumber(webhook.pending)}</dd>
        <dt>{text.lastSuccess}</dt>
        <dd>{webhook.last_success_at ? <Time at={webhook.last_success_at} isRelative /> : words().common.never}</dd>
        {webhook.former_secret_until !== null && (
          <>
            <dt>{text.formerSecret}</dt>
            <dd>
              <Time at={webhook.former_secret_until} />
            </dd>
          </>
        )}
        <dt>{text.publicKey}</dt>
        <dd>
          <Copyable text={webhook.public_key} label={text.copyPublicKey} />
        </dd>
      </dl>
    </section>
  );
}
