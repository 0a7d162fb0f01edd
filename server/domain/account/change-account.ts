import type { Plan } from '../plan.ts';
import type { Writes } from '../ports/metadata.ts';
import type { Account } from './account.ts';
import type { AccountsTable } from './table.ts';

interface Deps {
  readonly metadata: Writes<'accounts'>;
}

/** The largest quota: the largest whole number that both the database and JavaScript store exactly (2^53 − 1). */
export const maxQuotaBytes = Number.MAX_SAFE_INTEGER;

/**
 * Puts an account on another plan, from the next request on. Stored files stay, even if the new plan includes less.
 *
 * @returns the account afterwards; undefined when no account has this id
 */
export function setPlan(
  { metadata }: Deps,
  { accountId, plan }: { readonly accountId: string; readonly plan: Plan },
): Promise<Account | undefined> {
  return changed(metadata, accountId, (accounts) => accounts.setPlan(accountId, plan));
}

/**
 * Gives an account its own quota in bytes, from the next upload on. Null restores the quota of its plan. Files beyond
 * the quota stay.
 *
 * @returns the account afterwards; undefined when no account has this id
 */
export function setQuota(
  { metadata }: Deps,
  { accountId, quotaBytes }: { readonly accountId: string; readonly quotaBytes: number | null },
): Promise<Account | undefined> {
  return changed(metadata, accountId, (accounts) => accounts.setQuota(accountId, quotaBytes));
}

/**
 * Gives an Enterprise account its own AI budget in tokens a day, from the next request on. A week allows four times
 * that. Null restores the budget of its plan. The budget is stored while the account is on another plan, and applies
 * again when it returns to Enterprise.
 *
 * @returns the account afterwards; `not-enterprise`, with nothing stored, for a budget of an account on another plan;
 *   undefined when no account has this id
 */
export function setAiBudget(
  { metadata }: Deps,
  { accountId, tokensPerDay }: { readonly accountId: string; readonly tokensPerDay: number | null },
): Promise<Account | 'not-enterprise' | undefined> {
  return metadata.atomically(
    async (tx) => {
      const account = await tx.accounts.find(accountId);
      if (account && account.plan !== 'enterprise' && tokensPerDay !== null) return 'not-enterprise';
      await tx.accounts.setAiBudget(accountId, tokensPerDay);
      return tx.accounts.find(accountId);
    },
    { account: accountId },
  );
}

function changed(
  metadata: Deps['metadata'],
  accountId: string,
  change: (accounts: AccountsTable) => Promise<unknown>,
): Promise<Account | undefined> {
  return metadata.atomically(
    async (tx) => {
      await change(tx.accounts);
      return tx.accounts.find(accountId);
    },
    { account: accountId },
  );
}
