import { maxReplacingBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';
import type { AccountsReader } from './table.ts';

/**
 * An account's bytes are in one of three sums, which its row holds:
 *
 *   used       of its files: `storeObject()` adds them with the row of the file
 *   reserved   of the parts of open chunked uploads, and of uploads under way as far as their size is known
 *   in flight  being received and not reserved: of unknown size, or of a part that replaces a stored one
 *
 * The first two together grow only within the quota. All three may exceed it by a fixed amount, because bytes in
 * flight lie on the disk before it is known whether they fit. What is decided before bytes arrive, and what writes a
 * file, is checked here. Where parallel uploads compete, the check is part of the UPDATE that counts the bytes:
 *
 *   reserve           `takeReserved()` in stores/tables/accounts.ts, limit `maxReplacingBytes`
 *   count in flight   `countInFlight()` in stores/tables/reservations.ts, limit `maxInFlightExcessBytes`, or
 *                     `maxReplacingBytes` for a part that is sent again
 *
 * An upload goes through them in objects/quota-reservation.ts.
 */
type Stored = Pick<Account, 'usedBytes' | 'reservedBytes' | 'plan' | 'quotaBytes'>;
type StoredAndInFlight = Stored & Pick<Account, 'inFlightBytes'>;

/** Whether this many more bytes fit into the quota. */
export function fitsQuota(account: Stored, bytes: number): boolean {
  return account.usedBytes + account.reservedBytes + bytes <= quotaBytesOf(account);
}

/**
 * Whether new bytes fit into the quota, and beside the bytes in flight. All bytes together may exceed the quota by at
 * most `maxReplacingBytes`.
 */
export function fitsQuotaWithInFlight(account: StoredAndInFlight, bytes: number): boolean {
  const allBytes = account.usedBytes + account.reservedBytes + account.inFlightBytes + bytes;
  return fitsQuota(account, bytes) && allBytes <= quotaBytesOf(account) + maxReplacingBytes;
}

/**
 * Checks that bytes fit into the quota. 0 bytes always fit, even if the stored bytes exceed the quota.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export function requireFit(account: StoredAndInFlight | undefined, bytes: number): void {
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
export function quotaExceeded(account: StoredAndInFlight | undefined, askedBytes: number): Refusal {
  if (!account) return new Refusal('STORAGE_QUOTA_EXCEEDED');
  const reservedBytes = account.reservedBytes + account.inFlightBytes;
  const detail = `Used: ${account.usedBytes} bytes. Reserved by uploads: ${reservedBytes}. Quota: ${quotaBytesOf(account)}. Asked for: ${askedBytes}.`;
  return new Refusal('STORAGE_QUOTA_EXCEEDED', { detail });
}
