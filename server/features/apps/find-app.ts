import { Refusal } from '#server/domain/refusal.ts';
import type { App } from './app.ts';
import type { AppsReader } from './table.ts';

/** An application, and the account that asks for it. */
export interface NamedApp {
  readonly accountId: string;
  readonly appId: string;
}

/**
 * Finds an application of the account, inside or outside a transaction.
 *
 * @throws APP_NOT_FOUND also when it is another account's
 */
export async function findApp(apps: Pick<AppsReader, 'find'>, { appId, accountId }: NamedApp): Promise<App> {
  const app = await apps.find(appId);
  if (app?.accountId !== accountId) throw new Refusal('APP_NOT_FOUND');
  return app;
}
