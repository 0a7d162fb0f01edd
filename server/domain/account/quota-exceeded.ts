import { quotaBytesOf } from '../plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';

/**
 * The refusal of bytes for which an account has no room, with its figures.
 *
 * @param account as it is now; undefined when it is gone
 * @param askedBytes what would have been added
 */
export function quotaExceeded(
  account: Pick<Account, 'usedBytes' | 'reservedBytes' | 'flowingBytes' | 'plan' | 'quotaBytes'> | undefined,
  askedBytes: number,
): Refusal {
  if (!account) return new Refusal('STORAGE_QUOTA_EXCEEDED');
  const reservedBytes = account.reservedBytes + account.flowingBytes;
  const detail = `Used: ${account.usedBytes} bytes. Reserved by uploads: ${reservedBytes}. Quota: ${quotaBytesOf(account)}. Asked for: ${askedBytes}.`;
  return new Refusal('STORAGE_QUOTA_EXCEEDED', { detail });
}
