import { Refusal } from '../refusal.ts';
import type { App } from './app.ts';
import type { AppsReader } from './table.ts';

/**
 * An application of the account, read outside a transaction or in one. One of another account is as unknown as one that
 * was never there.
 *
 * @throws APP_NOT_FOUND
 */
export async function findApp(
  apps: Pick<AppsReader, 'find'>,
  { appId, accountId }: { readonly appId: string; readonly accountId: string },
): Promise<App> {
  const app = await apps.find(appId);
  if (app?.accountId !== accountId) throw new Refusal('APP_NOT_FOUND');
  return app;
}
