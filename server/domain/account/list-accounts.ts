import type { Reads } from '../ports/metadata.ts';
import type { Account } from './account.ts';

/** All accounts, oldest first. */
export function listAccounts({ metadata }: { readonly metadata: Reads<'accounts'> }): Promise<Account[]> {
  return metadata.read.accounts.list();
}
