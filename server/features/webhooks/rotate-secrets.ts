import type { Ids } from '#server/domain/ports/ids.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { WithSecret } from './create-webhook.ts';
import { findWebhook, type WebhookOf } from './find-webhook.ts';
import { newSecrets } from './webhook-secrets.ts';
import { overlapMs } from './webhook.ts';

interface Deps {
  readonly metadata: Writes<'webhooks'>;
  readonly secrets: Pick<Secrets, 'seal'>;
  readonly ids: Pick<Ids, 'rootKey'>;
}

/**
 * Gives a webhook new secrets. The former ones sign too for a day.
 *
 * @throws WEBHOOK_NOT_FOUND
 */
export function rotateSecrets({ metadata, secrets, ids }: Deps, which: WebhookOf): Promise<WithSecret> {
  const { secret, ...made } = newSecrets({ ids, secrets }, which.webhookId);
  return metadata.atomically(
    async (tx) => {
      const before = await findWebhook(tx.webhooks, which);
      const parts = { ...made, formerSealed: before.sealed, formerUntil: tx.now + overlapMs };
      await tx.webhooks.setSecrets(before.id, parts);
      return { webhook: { ...before, ...parts }, secret };
    },
    { account: which.accountId },
  );
}
