import { deletedAccountsKeptMs } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';

type Closing = Pick<Account, 'suspendedAt' | 'deletedAt'>;

/** Whether an operator has suspended or deleted the account. Its credentials, files and links then do not work. */
export function isClosed({ suspendedAt, deletedAt }: Closing): boolean {
  return suspendedAt !== null || deletedAt !== null;
}

/**
 * Returns the instant from which a deleted account may be removed; null for any other account. It can be restored until
 * then.
 */
export function removedFrom({ deletedAt }: Pick<Account, 'deletedAt'>): number | null {
  return deletedAt === null ? null : deletedAt + deletedAccountsKeptMs;
}

/** Whether the account is to be removed at `now`, and cannot be restored any more. */
export function isToBeRemoved(account: Pick<Account, 'deletedAt'>, now: number): boolean {
  const from = removedFrom(account);
  return from !== null && from <= now;
}

/** @throws ACCOUNT_SUSPENDED when an operator has suspended or deleted the account */
export function requireOpen<Checked extends Closing>(account: Checked): Checked {
  if (isClosed(account)) throw new Refusal('ACCOUNT_SUSPENDED');
  return account;
}
