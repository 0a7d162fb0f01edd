import { maxReplacingBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';
import type { AccountsReader } from './table.ts';

type Stored = Pick<Account, 'usedBytes' | 'reservedBytes' | 'plan' | 'quotaBytes'>;
type StoredAndFlowing = Stored & Pick<Account, 'flowingBytes'>;

/** Whether this many more bytes fit into the quota. */
export function fitsQuota(account: Stored, bytes: number): boolean {
  return account.usedBytes + account.reservedBytes + bytes <= quotaBytesOf(account);
}

/**
 * Whether new bytes fit into the quota and onto the disk. On the disk the bytes being received count too, and all bytes
 * together may exceed the quota by at most `maxReplacingBytes`.
 */
export function fitsQuotaAndDisk(account: StoredAndFlowing, bytes: number): boolean {
  const allBytes = account.usedBytes + account.reservedBytes + account.flowingBytes + bytes;
  return fitsQuota(account, bytes) && allBytes <= quotaBytesOf(account) + maxReplacingBytes;
}

/**
 * Checks that bytes fit into the quota. 0 bytes always fit, even if the stored bytes exceed the quota.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export function requireFit(account: StoredAndFlowing | undefined, bytes: number): void {
  if (bytes > 0 && (!account || !fitsQuota(account, bytes))) throw quotaExceeded(account, bytes);
}

/** Checks the account as it is stored now, like {@link requireFit}. @throws STORAGE_QUOTA_EXCEEDED */
export async function requireQuota(
  accounts: Pick<AccountsReader, 'find'>,
  accountId: string,
  bytes: number,
): Promise<void> {
  if (bytes > 0) requireFit(await accounts.find(accountId), bytes);
}

/**
 * Makes the refusal of bytes that do not fit, with the figures of the account.
 *
 * @param account as it is now; undefined when it was deleted
 * @param askedBytes the bytes that would have been added
 */
export function quotaExceeded(account: StoredAndFlowing | undefined, askedBytes: number): Refusal {
  if (!account) return new Refusal('STORAGE_QUOTA_EXCEEDED');
  const reservedBytes = account.reservedBytes + account.flowingBytes;
  const detail = `Used: ${account.usedBytes} bytes. Reserved by uploads: ${reservedBytes}. Quota: ${quotaBytesOf(account)}. Asked for: ${askedBytes}.`;
  return new Refusal('STORAGE_QUOTA_EXCEEDED', { detail });
}
