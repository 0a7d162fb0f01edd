import { quotaBytesOf } from '../plan.ts';
import type { Transaction } from '../ports/metadata.ts';
import type { Account } from './account.ts';
import { fitsQuota } from './quota.ts';

/** The shares of the quota, in percent, at which an account is told. */
const thresholds = [80, 95, 100] as const;

/** Whether this many more bytes fit, and reach no threshold, however they are added. Some may also be freed meanwhile. */
export function isFarFromQuota(account: Account, bytes: number): boolean {
  return fitsQuota(account, bytes) && !isReached(account, thresholds[0], account.usedBytes + bytes);
}

function isReached(account: Account, percent: number, bytes: number): boolean {
  return bytes * 100 >= percent * quotaBytesOf(account);
}

/**
 * Adds an event for the highest threshold that this change reaches. A threshold is announced again only after the
 * stored bytes were below it.
 *
 * @param account as it was before
 */
export async function recordQuotaReached(
  tx: Transaction<'events'>,
  account: Account,
  addedBytes: number,
): Promise<void> {
  const quotaBytes = quotaBytesOf(account);
  const usedBytes = account.usedBytes + addedBytes;
  if (addedBytes <= 0 || quotaBytes <= 0) return;
  const percent = thresholds.findLast(
    (one) => isReached(account, one, usedBytes) && !isReached(account, one, account.usedBytes),
  );
  if (percent === undefined) return;
  const data = { percent, usedBytes, quotaBytes };
  await tx.events.add({ accountId: account.id, type: 'quota.reached', key: null, data }, tx.now);
}
