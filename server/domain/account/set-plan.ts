import type { Plan } from '../plan.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Account } from './account.ts';

/**
 * Puts an account on another plan, from the next request on. What it stores stays, also where the new plan includes
 * less. Answers the account as it is then; `undefined` when there is none of that id.
 */
export function setPlan(
  { metadata }: { readonly metadata: Writes<'accounts'> },
  { accountId, plan }: { readonly accountId: string; readonly plan: Plan },
): Promise<Account | undefined> {
  return metadata.atomically(async (tx) => {
    await tx.accounts.setPlan(accountId, plan);
    return tx.accounts.find(accountId);
  });
}
