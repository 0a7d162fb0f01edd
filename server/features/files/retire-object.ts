import { dayMs } from '#server/domain/day.ts';
import { isExpired, type StoredObject } from './object.ts';
import type { Readers, Transaction } from '#server/domain/ports/metadata.ts';
import { ruleFor, type Rule } from '#server/features/rules/rule.ts';
import { purgeBeyond } from './purge-version.ts';
import type { Keeping, TrashReason } from './trash-table.ts';

/** How a file ends. */
export interface Ending {
  /** `false` if the account itself is removed. Default `true`. */
  readonly mayKeep?: boolean;
  /** For at least how many days the trash keeps it, whatever the rules say. Default 0. */
  readonly keepDays?: number;
  /** The folder job that deletes it. */
  readonly jobId?: string;
}

/** What became of the bytes of a file that has ended. */
interface Retired {
  /** The bytes that no longer count for the account. */
  readonly freedBytes: number;
  /** Whether the trash keeps the file. */
  readonly isKept: boolean;
}

/**
 * Ends a file whose row is gone: the trash keeps it if the request or the rule of its prefix says so, otherwise its
 * content is released. Every deletion and every replacement comes here. An expired file is not kept, because its time
 * was over. The oldest versions beyond the number of the rule leave the trash, and their bytes are counted here.
 */
export async function retireObject(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'events' | 'rules' | 'trash'>,
  object: StoredObject,
  reason: TrashReason,
  { mayKeep = true, keepDays = 0, jobId }: Ending = {},
): Promise<Retired> {
  const rule = mayKeep ? await ruleOf(tx, object) : undefined;
  const keeping = keepingOf(object, tx.now, rule, mayKeep ? keepDays : 0);
  const purgeAt = endOf(keeping);
  if (purgeAt === undefined) {
    await tx.contents.release(object.contentId);
    return { freedBytes: object.sizeBytes, isKept: false };
  }
  await tx.trash.add({ ...object, ...keeping, deletedAt: tx.now, purgeAt, reason, deletingJobId: jobId ?? null });
  // One more than are added: after the rule was changed, its job purges the others.
  await purgeBeyond(tx, object, rule, 2);
  return { freedBytes: 0, isKept: true };
}

/** Returns the bytes that would no longer count for the account if another file replaced this one now. */
export async function freedBytes(
  read: Pick<Readers, 'rules'> & { readonly now: number },
  object: StoredObject | undefined,
): Promise<number> {
  if (object === undefined) return 0;
  const keeping = keepingOf(object, read.now, await ruleOf(read, object));
  return endOf(keeping) === undefined ? object.sizeBytes : 0;
}

async function ruleOf({ rules }: Pick<Readers, 'rules'>, { accountId, key }: StoredObject): Promise<Rule | undefined> {
  return ruleFor(await rules.listOf(accountId), key);
}

function keepingOf(object: StoredObject, now: number, rule: Rule | undefined, keepDays = 0): Keeping {
  const until = (days: number) =>
    days === 0 || isExpired(object, now) ? null : Math.min(now + days * dayMs, object.expiresAt ?? Infinity);
  return { ruleUntil: until(rule?.keepDeletedDays ?? 0), requestedUntil: until(keepDays) };
}

/** Returns when the trash gives the file up. Undefined if it does not take it. */
function endOf({ ruleUntil, requestedUntil }: Keeping): number | undefined {
  return ruleUntil === null && requestedUntil === null ? undefined : Math.max(ruleUntil ?? 0, requestedUntil ?? 0);
}
