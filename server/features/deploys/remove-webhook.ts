import { changeOfApp, type NamedApp } from '#server/features/apps/find-app.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';

/**
 * Removes the application's webhook, if it has one, with its token and secret. Queued deploys stay.
 *
 * @throws APP_NOT_FOUND
 */
export function removeWebhook(
  { metadata }: { readonly metadata: Writes<'apps' | 'gitWebhooks'> },
  app: NamedApp,
): Promise<void> {
  return changeOfApp(metadata, app, (tx) => tx.gitWebhooks.remove(app.appId));
}
