import type { Writes } from '../ports/metadata.ts';
import type { Account } from './account.ts';

/**
 * Gives an account on Enterprise a budget of its own for the AI gateway in tokens a day (a week has four times that),
 * or with
 * `null` that of its plan, from the next request on. It stays written down while the account is on another plan, and holds again
 * afterwards. Answers the account as it is then; `undefined` when there is none of that id.
 */
export function setAiBudget(
  { metadata }: { readonly metadata: Writes<'accounts'> },
  { accountId, tokensPerDay }: { readonly accountId: string; readonly tokensPerDay: number | null },
): Promise<Account | 'not-enterprise' | undefined> {
  return metadata.atomically(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account && account.plan !== 'enterprise' && tokensPerDay !== null) return 'not-enterprise';
    await tx.accounts.setAiBudget(accountId, tokensPerDay);
    return tx.accounts.find(accountId);
  });
}
