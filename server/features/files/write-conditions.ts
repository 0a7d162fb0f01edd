import { Refusal } from '#server/domain/refusal.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { isConditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { findLive, isExpired, type StoredObject } from './object.ts';

/** Returns the condition that a file does not meet. @param live the file that readers see, if there is one */
export function unmetCondition(
  live: StoredObject | undefined,
  { ifNoneMatch, ifMatch }: WriteConditions,
): 'If-Match' | 'If-None-Match' | undefined {
  if (ifNoneMatch && live && names(ifNoneMatch, live)) return 'If-None-Match';
  if (ifMatch && !(live && names(ifMatch, live))) return 'If-Match';
  return undefined;
}

function names(etags: readonly string[], { etag }: StoredObject): boolean {
  return etags.includes('*') || etags.includes(etag);
}

/**
 * Checks the conditions of a write. The result holds only within the transaction that writes.
 *
 * @param existing the row at the address, which may be of an expired file
 * @throws CONDITION_NOT_MET
 */
export function requireConditions(existing: StoredObject | undefined, conditions: WriteConditions, now: number): void {
  const live = existing && !isExpired(existing, now) ? existing : undefined;
  if (unmetCondition(live, conditions) !== undefined) throw new Refusal('CONDITION_NOT_MET');
}

/**
 * Checks the conditions of a request about a file that is there. A missing file is no failure here, because the request
 * has its own answer for it.
 *
 * @throws CONDITION_NOT_MET
 */
export async function requireCurrent(
  tx: Transaction<'objects'>,
  address: ObjectAddress,
  conditions: WriteConditions,
): Promise<void> {
  if (!isConditional(conditions)) return;
  const existing = await findLive(tx.objects, address, tx.now);
  if (existing) requireConditions(existing, conditions, tx.now);
}
