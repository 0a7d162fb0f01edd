import { placesFor } from '#server/domain/access/places.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { newSecrets } from './webhook-secrets.ts';
import { sealUrl } from './webhook-url.ts';
import { healthAtFirst, maxWebhooks, type ChosenFilters, type Webhook } from './webhook.ts';

interface Deps {
  readonly metadata: Writes<'apiKeys' | 'events' | 'webhooks'>;
  readonly secrets: Pick<Secrets, 'seal'>;
  readonly ids: Pick<Ids, 'opaqueId' | 'rootKey'>;
}

interface CreateWebhook extends ChosenFilters, Pick<Webhook, 'accountId' | 'format' | 'seesAccount'> {
  readonly url: string;
  /** The key that was sent. */
  readonly keyId: string;
}

/** A webhook with its secret, which is not stored in this form. */
export interface WithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/**
 * Creates a webhook. It gets the events that are committed after it.
 *
 * @throws TOO_MANY_WEBHOOKS
 */
export function createWebhook(
  { metadata, secrets, ids }: Deps,
  { keyId, url, ...command }: CreateWebhook,
): Promise<WithSecret> {
  const id = `wh_${ids.opaqueId()}`;
  const { secret, publicKey, sealed } = newSecrets({ ids, secrets }, id);
  return metadata.atomically(
    async (tx) => {
      const webhook: Webhook = {
        ...command,
        id,
        sealedUrl: sealUrl(secrets, id, url),
        sealed,
        publicKey,
        formerSealed: null,
        formerUntil: null,
        createdAt: tx.now,
        disabledReason: null,
        writtenSequence: await tx.events.newest(command.accountId),
        replayedSequence: null,
        replayUntil: null,
        health: healthAtFirst,
      };
      const places = await placesFor(tx, command.accountId, keyId, maxWebhooks);
      if (!(await tx.webhooks.add(webhook, places))) throw new Refusal('TOO_MANY_WEBHOOKS');
      return { webhook, secret };
    },
    { account: command.accountId },
  );
}
