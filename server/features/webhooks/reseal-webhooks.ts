import { resealRows } from '#server/domain/master-key/reseal-rows.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { renewedSecrets } from './webhook-secrets.ts';
import { renewedUrl } from './webhook-url.ts';

interface Deps {
  readonly metadata: Metadata<'webhooks'>;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

/** Stores the secrets and addresses of webhooks under the current master key. Returns how many it changed. */
export function resealWebhooks(deps: Deps): Promise<number> {
  const { metadata, secrets } = deps;
  return resealRows(deps, {
    page: (after, limit) => metadata.read.webhooks.listAfter(after, limit),
    idOf: ({ id }) => id,
    change: (webhook) => {
      const { id, formerSealed } = webhook;
      const renewed = renewedSecrets(secrets, id, webhook.sealed);
      const former = formerSealed && (renewedSecrets(secrets, id, formerSealed) ?? formerSealed);
      const url = renewedUrl(secrets, webhook);
      if (renewed === undefined && url === undefined) return undefined;
      return async (tx) => {
        if (renewed) await tx.webhooks.reseal(webhook, renewed, former);
        if (url !== undefined) await tx.webhooks.renewUrl(webhook, url);
      };
    },
  });
}
