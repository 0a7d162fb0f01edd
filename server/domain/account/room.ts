import { maxReplacingBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';
import type { AccountsReader } from './table.ts';

type Stored = Pick<Account, 'usedBytes' | 'reservedBytes' | 'plan' | 'quotaBytes'>;
type StoredAndFlowing = Stored & Pick<Account, 'flowingBytes'>;

/** Whether so many bytes more fit in the quota. */
export function fitsQuota(account: Stored, bytes: number): boolean {
  return account.usedBytes + account.reservedBytes + bytes <= quotaBytesOf(account);
}

/** The same for bytes that are new on the disk: what flows beside them lies there too. */
export function hasRoom(account: StoredAndFlowing, bytes: number): boolean {
  const allBytes = account.usedBytes + account.reservedBytes + account.flowingBytes + bytes;
  return fitsQuota(account, bytes) && allBytes <= quotaBytesOf(account) + maxReplacingBytes;
}

/**
 * What adds nothing fits also where the quota has shrunk below what is stored.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export function requireFit(account: StoredAndFlowing | undefined, bytes: number): void {
  if (bytes > 0 && (!account || !fitsQuota(account, bytes))) throw quotaExceeded(account, bytes);
}

/** Asks the same of the account as it is stored now. @throws STORAGE_QUOTA_EXCEEDED */
export async function requireRoom(
  accounts: Pick<AccountsReader, 'find'>,
  accountId: string,
  bytes: number,
): Promise<void> {
  if (bytes > 0) requireFit(await accounts.find(accountId), bytes);
}

/**
 * The refusal of bytes for which an account has no room, with its figures.
 *
 * @param account as it is now; undefined when it is gone
 * @param askedBytes what would have been added
 */
export function quotaExceeded(account: StoredAndFlowing | undefined, askedBytes: number): Refusal {
  if (!account) return new Refusal('STORAGE_QUOTA_EXCEEDED');
  const reservedBytes = account.reservedBytes + account.flowingBytes;
  const detail = `Used: ${account.usedBytes} bytes. Reserved by uploads: ${reservedBytes}. Quota: ${quotaBytesOf(account)}. Asked for: ${askedBytes}.`;
  return new Refusal('STORAGE_QUOTA_EXCEEDED', { detail });
}
