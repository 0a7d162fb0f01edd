import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { App } from './app.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'apps'>;
  readonly ids: Pick<Ids, 'lettersOf'>;
}

/** Without letters that are read as another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const idLength = 16;

/** Makes an application; `undefined` when there is no such account. Two may have the same name. */
export function createApp(
  { metadata, ids }: Deps,
  { accountId, name }: Pick<App, 'accountId' | 'name'>,
): Promise<App | undefined> {
  return metadata.atomically(async (tx) => {
    if (!(await tx.accounts.find(accountId))) return undefined;
    const app: App = {
      id: `app_${ids.lettersOf(alphabet, idLength)}`,
      accountId,
      name,
      createdAt: tx.now,
      isBuiltIn: false,
    };
    await tx.apps.add(app);
    return app;
  });
}
