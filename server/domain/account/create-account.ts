import { createKey, type CreatedKey } from '../access/create-key.ts';
import { everyScope } from '../access/scope.ts';
import type { Plan } from '../plan.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
  readonly secrets: Pick<Secrets, 'credentialHash'>;
  readonly ids: Ids;
}

/** Makes an account with one key that may do everything. */
export async function createAccount(
  deps: Deps,
  command: { readonly name: string; readonly plan: Plan },
): Promise<CreatedKey & { readonly accountId: string }> {
  const accountId = deps.ids.accountId();
  await deps.metadata.atomically((tx) => tx.accounts.add({ id: accountId, ...command, createdAt: tx.now }));
  const created = await createKey(deps, { accountId, name: 'full access', scopes: [everyScope] });
  return { accountId, ...created };
}
