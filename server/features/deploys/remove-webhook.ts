import { findApp } from '#server/features/apps/find-app.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';

/**
 * Removes the application's webhook, if it has one, with its token and secret. Queued deploys stay.
 *
 * @throws APP_NOT_FOUND
 */
export function removeWebhook(
  { metadata }: { readonly metadata: Writes<'apps' | 'gitWebhooks'> },
  { accountId, appId }: { readonly accountId: string; readonly appId: string },
): Promise<void> {
  return metadata.atomically(
    async (tx) => {
      await findApp(tx.apps, { appId, accountId });
      await tx.gitWebhooks.remove(appId);
    },
    { account: accountId },
  );
}
