import { dayMs } from '#server/domain/day.ts';
import { isExpired, type StoredObject } from './object.ts';
import type { Readers, Transaction } from '#server/domain/ports/metadata.ts';
import { ruleFor, type Rule } from '#server/features/rules/rule.ts';
import { purgeBeyond } from './purge-version.ts';
import type { TrashReason } from './trash-table.ts';

/**
 * Ends a file whose row is gone: the trash keeps it if the rule of its prefix says so, otherwise its content is
 * released. Every deletion and every replacement comes here. An expired file is not kept, because its time was over.
 * The oldest versions beyond the number of the rule leave the trash, and their bytes are counted here.
 *
 * @param mayKeep false if the account itself is removed
 * @returns the bytes that no longer count for the account: 0 if the file is kept
 */
export async function retireObject(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'events' | 'rules' | 'trash'>,
  object: StoredObject,
  reason: TrashReason,
  mayKeep = true,
): Promise<number> {
  const rule = mayKeep ? await ruleOf(tx, object) : undefined;
  const purgeAt = keptUntil(rule, object, tx.now);
  if (purgeAt === undefined) {
    await tx.contents.release(object.contentId);
    return object.sizeBytes;
  }
  await tx.trash.add({ ...object, deletedAt: tx.now, purgeAt, reason });
  // One more than are added: after the rule was changed, its job purges the others.
  await purgeBeyond(tx, object, rule, 2);
  return 0;
}

/** Returns the bytes that would no longer count for the account if the file ended now. */
export async function freedBytes(
  read: Pick<Readers, 'rules'> & { readonly now: number },
  object: StoredObject | undefined,
): Promise<number> {
  if (object === undefined) return 0;
  return keptUntil(await ruleOf(read, object), object, read.now) === undefined ? object.sizeBytes : 0;
}

async function ruleOf({ rules }: Pick<Readers, 'rules'>, { accountId, key }: StoredObject): Promise<Rule | undefined> {
  return ruleFor(await rules.listOf(accountId), key);
}

/** Returns when the trash gives the file up. Undefined if it does not take it. */
function keptUntil(rule: Rule | undefined, object: StoredObject, now: number): number | undefined {
  const days = rule?.keepDeletedDays ?? null;
  if (days === null || isExpired(object, now)) return undefined;
  return Math.min(now + days * dayMs, object.expiresAt ?? Infinity);
}
