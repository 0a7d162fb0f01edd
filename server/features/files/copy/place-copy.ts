import { recordQuotaReached } from '#server/domain/account/quota-event.ts';
import { requireQuota } from '#server/domain/account/quota.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import { recordFileEvent } from '../file-event.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { generationAt } from '../generation.ts';
import { endLinks, putInPlace } from '../lost-links.ts';
import { nameDetail } from '../name-detail.ts';
import { freedBytes, retireObject } from '../retire-object.ts';
import { isExpired, type StoredObject } from '../object.ts';
import type { PlacedObject } from '../store-object.ts';
import type { FileTables } from '../table.ts';
import { newVersionId } from '../version.ts';

/** A copy of a file, or the file itself during a move. */
interface Copy {
  readonly source: StoredObject;
  /** The row of the copy, without the fields that follow from its place. */
  readonly row: Omit<StoredObject, 'generation' | 'versionId' | 'createdAt'>;
  readonly isMove: boolean;
  /** Whether it may take the place of this file. */
  mayReplace(existing: StoredObject): boolean;
  readonly actor: Actor;
}

/**
 * Writes the row of a copy, in place of an earlier file, and everything that depends on it. The bytes stay where they
 * are. Returns the file, the sequence of its activity, and whether it replaced a file.
 *
 * @throws OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED
 */
export async function placeCopy(
  tx: Transaction<FileTables>,
  ids: Pick<Ids, 'nameHash' | 'orderedId'>,
  { source, row, isMove, mayReplace, actor }: Copy,
): Promise<PlacedObject & { readonly sequence: number }> {
  const { accountId, space, key } = row;
  const existing = await tx.objects.find({ accountId, space, key });
  const isReplaced = existing !== undefined && !isExpired(existing, tx.now);
  if (isReplaced && !mayReplace(existing)) throw new Refusal('OBJECT_ALREADY_EXISTS');
  const bytes = (isMove ? 0 : source.sizeBytes) - (await freedBytes(tx, existing));
  await requireQuota(tx.accounts, accountId, bytes);
  const account = bytes > 0 ? await tx.accounts.find(accountId) : undefined;
  const object: StoredObject = {
    ...row,
    generation: generationAt(ids, row, existing, tx.now),
    versionId: newVersionId(ids, existing, tx.now),
    createdAt: tx.now,
  };
  // The content is shared before the old one is released, because both may be the same.
  if (isMove) {
    await tx.objects.remove(source);
    await endLinks(tx, source, 'file_moved', actor);
  } else await tx.contents.share(source.contentId);
  await putInPlace(tx, object, existing);
  if (existing) await retireObject(tx, existing, 'replaced');
  await tx.accounts.addUsage(accountId, { bytes, objects: (isMove ? 0 : 1) - (existing ? 1 : 0) });
  const from = formatObjectId(source);
  const details = { source: from, moved: isMove, ...nameDetail(object) };
  const sequence = await recordActivity(tx, { accountId, type: 'object.copied', object, details, actor });
  if (isMove) await recordFileEvent(tx, 'object.moved', object, { actor, from, isReplaced });
  else await recordFileEvent(tx, isReplaced ? 'object.replaced' : 'object.created', object, { actor, source: from });
  if (account) await recordQuotaReached(tx, account, bytes);
  return { object, sequence, isReplaced };
}
