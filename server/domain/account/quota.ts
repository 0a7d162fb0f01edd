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
 *   in flight  being received and not reserved: of unknown size, or in place of stored ones
 *
 * The first two together grow only within the quota. Parts of an upload that will replace a file are the exception: see
 * server/features/uploads/quota-of-parts.ts. All three may exceed it by `beyondQuota()`, because bytes in flight lie on
 * the disk before it is known whether they fit, and new versions beside those that they replace. What is decided before
 * bytes arrive, and what writes a file, is checked here. Where parallel uploads compete, the check is part of the UPDATE
 * that counts the bytes:
 *
 *   reserve           `takeReserved()` in stores/tables/accounts.ts, limit `beyondQuota()`
 *   count in flight   `countInFlight()` in stores/tables/reservations.ts, limit `maxInFlightExcessBytes`, or
 *                     `beyondQuota()` for bytes in place of stored ones
 *
 * An upload goes through them in server/features/files/upload/quota-reservation.ts.
 */
type Stored = Pick<Account, 'usedBytes' | 'reservedBytes' | 'plan' | 'quotaBytes'>;
type StoredAndInFlight = Stored & Pick<Account, 'inFlightBytes'>;

/** Whether this many more bytes fit into the quota. */
export function fitsQuota(account: Stored, bytes: number): boolean {
  return account.usedBytes + account.reservedBytes + bytes <= quotaBytesOf(account);
}

/**
 * Returns how far all bytes together may exceed a quota. New versions lie on the disk before those that they replace
 * are gone, so the bound is the quota once more.
 */
export function beyondQuota(quotaBytes: number): number {
  return Math.max(maxReplacingBytes, quotaBytes);
}

/** Whether an account may write files in place of others, for the difference. A quota of 0 stops all uploads. */
export function mayReplaceBytes(account: Stored): boolean {
  return quotaBytesOf(account) > 0;
}

/**
 * Checks that a written file fits into the quota, and beside the bytes in flight. One that adds no bytes always fits.
 *
 * @param freedBytes of the file that it replaces
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export function requireFitOfFile<Row extends StoredAndInFlight>(
  account: Row | undefined,
  sizeBytes: number,
  freedBytes: number,
): asserts account is Row {
  const bytes = account && mayReplaceBytes(account) ? sizeBytes - freedBytes : sizeBytes;
  if (!account) throw quotaExceeded(account, bytes);
  if (bytes <= 0) return;
  const allBytes = account.usedBytes + account.reservedBytes + account.inFlightBytes + bytes;
  const quotaBytes = quotaBytesOf(account);
  if (!fitsQuota(account, bytes) || allBytes > quotaBytes + beyondQuota(quotaBytes))
    throw quotaExceeded(account, bytes);
}

/**
 * Checks that bytes fit into the quota. 0 bytes always fit, even if the stored bytes exceed the quota.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
function requireFit(account: StoredAndInFlight | undefined, bytes: number): void {
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
 * @param addedBytes the bytes that would have been added
 * @param mostBytes the sum that stored and reserved bytes may reach. Default: the quota
 */
export function quotaExceeded(account: StoredAndInFlight | undefined, addedBytes: number, mostBytes?: number): Refusal {
  if (!account) return new Refusal('STORAGE_QUOTA_EXCEEDED');
  const reservedBytes = account.reservedBytes + account.inFlightBytes;
  const detail =
    `Used: ${account.usedBytes} bytes. Reserved by uploads: ${reservedBytes}. Quota: ${quotaBytesOf(account)}. ` +
    `Asked for: ${addedBytes}.`;
  return new QuotaExceeded(detail, account, { addedBytes, mostBytes: mostBytes ?? quotaBytesOf(account) });
}

/** What a write needs. */
interface Need {
  readonly addedBytes: number;
  /** The sum that stored and reserved bytes may reach with it. */
  readonly mostBytes: number;
}

/** The refusal of bytes that do not fit, which may fit once something is deleted. */
export class QuotaExceeded extends Refusal implements Need {
  readonly addedBytes: number;
  readonly mostBytes: number;
  /** How many bytes fewer would fit. 0 or less if the quota has space, and only bytes in flight are in the way. */
  readonly missingBytes: number;

  constructor(detail: string, account: Stored, { addedBytes, mostBytes }: Need) {
    super('STORAGE_QUOTA_EXCEEDED', { detail });
    this.addedBytes = addedBytes;
    this.mostBytes = mostBytes;
    this.missingBytes = this.missingOf(account);
  }

  /** Returns how many bytes are missing in an account as it is then. */
  missingOf({ usedBytes, reservedBytes }: Pick<Stored, 'usedBytes' | 'reservedBytes'>): number {
    return usedBytes + reservedBytes + this.addedBytes - this.mostBytes;
  }
}
