import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import { shortId } from '../short-id.ts';
import type { App } from './app.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'apps'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

/** Makes an application. Two may have the same name. Returns undefined for an unknown account. */
export function createApp(
  { metadata, ids }: Deps,
  { accountId, name }: Pick<App, 'accountId' | 'name'>,
): Promise<App | undefined> {
  return metadata.atomically(
    async (tx) => {
      if (!(await tx.accounts.find(accountId))) return undefined;
      const app: App = {
        id: shortId(ids, 'app'),
        accountId,
        name,
        createdAt: tx.now,
        isBuiltIn: false,
      };
      await tx.apps.add(app);
      return app;
    },
    { account: accountId },
  );
}
