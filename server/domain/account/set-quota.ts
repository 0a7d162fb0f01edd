import type { Writes } from '../ports/metadata.ts';
import type { Account } from './account.ts';

/** The largest quota: what the database and JavaScript both hold exactly (2^53 − 1). */
export const maxQuotaBytes = Number.MAX_SAFE_INTEGER;

/**
 * Gives an account a quota of its own in bytes, or with `null` that of its plan, from the next upload on. What is
 * stored beyond it stays. Answers the account as it is then; `undefined` when there is none of that id.
 */
export function setQuota(
  { metadata }: { readonly metadata: Writes<'accounts'> },
  { accountId, quotaBytes }: { readonly accountId: string; readonly quotaBytes: number | null },
): Promise<Account | undefined> {
  return metadata.atomically(async (tx) => {
    await tx.accounts.setQuota(accountId, quotaBytes);
    return tx.accounts.find(accountId);
  });
}
