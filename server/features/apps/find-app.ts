import type { TableName, Transaction, Writes } from '#server/domain/ports/metadata.ts';
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

/**
 * Changes something of an application of the account.
 *
 * @throws APP_NOT_FOUND
 */
export function changeOfApp<Names extends TableName, T>(
  metadata: Writes<Names | 'apps'>,
  app: NamedApp,
  work: (tx: Transaction<Names | 'apps'>) => Promise<T>,
): Promise<T> {
  return metadata.atomically(
    async (tx) => {
      await findApp(tx.apps, app);
      return work(tx);
    },
    { account: app.accountId },
  );
}
