import { maxReplacingBytes } from '../limits.ts';
import { quotaBytesOf } from '../plan.ts';
import type { Account } from './account.ts';

/** Whether so many bytes more fit in the quota. */
export function fitsQuota(
  account: Pick<Account, 'usedBytes' | 'reservedBytes' | 'plan' | 'quotaBytes'>,
  bytes: number,
): boolean {
  return account.usedBytes + account.reservedBytes + bytes <= quotaBytesOf(account);
}

/** The same for bytes that are new on the disk: what flows beside them lies there too. */
export function hasRoom(
  account: Pick<Account, 'usedBytes' | 'reservedBytes' | 'flowingBytes' | 'plan' | 'quotaBytes'>,
  bytes: number,
): boolean {
  return (
    fitsQuota(account, bytes) &&
    account.usedBytes + account.reservedBytes + account.flowingBytes + bytes <=
      quotaBytesOf(account) + maxReplacingBytes
  );
}
