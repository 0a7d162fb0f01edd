import { Refusal } from '../refusal.ts';
import type { App } from './app.ts';
import type { AppsReader } from './table.ts';

/**
 * Finds an application of the account, inside or outside a transaction.
 *
 * @throws APP_NOT_FOUND also when it is another account's
 */
export async function findApp(
  apps: Pick<AppsReader, 'find'>,
  { appId, accountId }: { readonly appId: string; readonly accountId: string },
): Promise<App> {
  const app = await apps.find(appId);
  if (app?.accountId !== accountId) throw new Refusal('APP_NOT_FOUND');
  return app;
}
