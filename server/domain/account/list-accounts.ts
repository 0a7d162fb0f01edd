import type { Metadata } from '../ports/metadata.ts';
import type { Account } from './account.ts';

/** All accounts, oldest first. */
export function listAccounts({ metadata }: { readonly metadata: Pick<Metadata, 'read'> }): Promise<Account[]> {
  return metadata.read.accounts.list();
}
