import { addKey, type CreatedKey } from './create-key.ts';
import { everyScope } from './scope.ts';
import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Plan } from '../plan.ts';
import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'apiKeys' | 'audit' | 'events'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'keyNumber'>;
  readonly ids: Ids;
}

/** Creates an account and a key with all scopes, in one transaction. */
export function createAccount(
  deps: Deps,
  { name, plan, by = serverActor }: { readonly name: string; readonly plan: Plan; readonly by?: AuditActor },
): Promise<CreatedKey & { readonly accountId: string }> {
  return deps.metadata.atomically(
    async (tx) => {
      const accountId = deps.ids.accountId();
      await tx.accounts.add({ id: accountId, name, plan, createdAt: tx.now });
      const made = await addKey(tx, deps, { accountId, name: 'full access', scopes: [everyScope], by });
      await recordAudit(tx, { action: 'account.created', by, accountId, subject: accountId, details: { name, plan } });
      return { accountId, ...made };
    },
    // Nobody else knows the account yet.
    { isAudited: true },
  );
}
