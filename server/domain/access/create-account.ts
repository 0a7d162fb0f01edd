import { addKey, type CreatedKey } from './create-key.ts';
import { everyScope } from './scope.ts';
import { builtInApp } from '../apps/app.ts';
import type { Plan } from '../plan.ts';
import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'apiKeys' | 'apps'>;
  readonly secrets: Pick<Secrets, 'credentialHash'>;
  readonly ids: Ids;
}

/** Creates an account, a key with all scopes and the built-in application, in one transaction. */
export function createAccount(
  deps: Deps,
  { name, plan }: { readonly name: string; readonly plan: Plan },
): Promise<CreatedKey & { readonly accountId: string }> {
  return deps.metadata.atomically(async (tx) => {
    const accountId = deps.ids.accountId();
    await tx.accounts.add({ id: accountId, name, plan, createdAt: tx.now });
    await tx.apps.add(builtInApp(accountId, tx.now));
    return { accountId, ...(await addKey(tx, deps, { accountId, name: 'full access', scopes: [everyScope] })) };
  });
}
