import { dayMs } from '../account/usage-days.ts';
import { isExpired, type StoredObject } from './object.ts';
import type { Transaction } from '../ports/metadata.ts';
import { ruleFor } from '../rules/rule.ts';
import type { TrashReason } from './trash-table.ts';

/**
 * Ends a file whose row is gone: the trash keeps it if the rule of its prefix says so, otherwise its content is released.
 * Every deletion and every replacement comes here. An expired file is not kept, because its time was over.
 *
 * @param mayKeep false if the account itself is removed
 * @returns the bytes that no longer count for the account: 0 if the file is kept
 */
export async function retireObject(
  tx: Transaction<'contents' | 'rules' | 'trash'>,
  object: StoredObject,
  reason: TrashReason,
  mayKeep = true,
): Promise<number> {
  const purgeAt = mayKeep ? await keptUntil(tx, object) : undefined;
  if (purgeAt === undefined) {
    await tx.contents.release(object.contentId);
    return object.sizeBytes;
  }
  await tx.trash.add({ ...object, deletedAt: tx.now, purgeAt, reason });
  return 0;
}

/** Returns the bytes that would no longer count for the account if the file ended now. */
export async function freedBytes(tx: Transaction<'rules'>, object: StoredObject | undefined): Promise<number> {
  return object === undefined || (await keptUntil(tx, object)) !== undefined ? 0 : object.sizeBytes;
}

/** Returns when the trash gives the file up. Undefined if it does not take it. */
async function keptUntil(tx: Transaction<'rules'>, object: StoredObject): Promise<number | undefined> {
  const { accountId, key, expiresAt } = object;
  if (isExpired(object, tx.now)) return undefined;
  const days = ruleFor(await tx.rules.listOf(accountId), key)?.keepDeletedDays ?? null;
  return days === null ? undefined : Math.min(tx.now + days * dayMs, expiresAt ?? Infinity);
}
