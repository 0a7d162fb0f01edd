import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { sweep } from '#server/domain/sweep.ts';
import { attemptMs } from './delivery.ts';
import { findWebhook, type WebhookOf } from './find-webhook.ts';
import { openUrl, sealUrl } from './webhook-url.ts';
import { healthAtFirst, type ChosenFilters, type Webhook } from './webhook.ts';

interface Deps {
  readonly metadata: Metadata<'webhooks'>;
  readonly secrets: Pick<Secrets, 'seal' | 'unseal'>;
}

/** The changes. Undefined leaves a field as it is. */
type WebhookChanges = { readonly [Name in keyof ChosenFilters]: ChosenFilters[Name] | undefined } & {
  readonly url: string | undefined;
  readonly isEnabled: boolean | undefined;
};

/**
 * Changes a webhook. Enabling it or giving it another address begins anew: earlier failures no longer count, and what
 * waits for another attempt is due at once.
 *
 * @throws WEBHOOK_NOT_FOUND, NOTHING_TO_UPDATE
 */
export async function changeWebhook(
  { metadata, secrets }: Deps,
  which: WebhookOf,
  changes: WebhookChanges,
): Promise<Webhook> {
  if (Object.values(changes).every((change) => change === undefined)) throw new Refusal('NOTHING_TO_UPDATE');
  const account = which.accountId;
  const { webhook, isAnew } = await metadata.atomically(
    async (tx) => {
      const before = await findWebhook(tx.webhooks, which);
      const { url, description = before.description, isEnabled } = changes;
      const types = changes.types === undefined ? before.types : changes.types;
      const prefixes = changes.prefixes === undefined ? before.prefixes : changes.prefixes;
      const sealedUrl = url === undefined ? before.sealedUrl : sealUrl(secrets, before.id, url);
      const choice = { sealedUrl, description, types, prefixes };
      const disabledReason =
        isEnabled === undefined ? before.disabledReason : isEnabled ? null : (before.disabledReason ?? 'request');
      await tx.webhooks.change(before.id, choice, disabledReason);
      const isAnew = isEnabled === true || (url !== undefined && url !== openUrl(secrets, before));
      const health = isAnew ? { ...healthAtFirst, lastSuccessAt: before.health.lastSuccessAt } : before.health;
      if (isAnew) await tx.webhooks.setHealth(before.id, health);
      return { webhook: { ...before, ...choice, disabledReason, health }, isAnew };
    },
    { account },
  );
  if (isAnew) await hastenDeliveries(metadata, webhook);
  return webhook;
}

/** Deliveries that one transaction changes or removes. */
const batchRows = 500;

/** Makes deliveries due that wait for another attempt. One that is under way is due again earlier than these. */
function hastenDeliveries(metadata: Deps['metadata'], { id, accountId: account }: Webhook): Promise<number> {
  return sweep(
    batchRows,
    async (limit) => ({
      length: await metadata.atomically((tx) => tx.webhooks.hasten(id, tx.now + attemptMs, tx.now, limit), { account }),
    }),
    async ({ length }) => length,
  );
}

/**
 * Removes a webhook with its deliveries. Nothing more is sent, except by attempts that are under way.
 *
 * @throws WEBHOOK_NOT_FOUND
 */
export async function removeWebhook({ metadata }: Pick<Deps, 'metadata'>, which: WebhookOf): Promise<void> {
  const account = which.accountId;
  await metadata.atomically(
    async (tx) => {
      const { id } = await findWebhook(tx.webhooks, which);
      await tx.webhooks.disable(id, 'request');
    },
    { account },
  );
  await sweep(
    batchRows,
    async (limit) => ({
      length: await metadata.atomically((tx) => tx.webhooks.removeDeliveries(which.webhookId, limit), { account }),
    }),
    async ({ length }) => length,
  );
  await metadata.atomically((tx) => tx.webhooks.remove(which.webhookId), { account });
}
