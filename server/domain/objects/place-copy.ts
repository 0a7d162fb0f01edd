import { requireRoom } from '../account/room.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { formatObjectId } from '../object-id.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction } from '../ports/metadata.ts';
import { incarnationAt } from './incarnation.ts';
import type { StoredObject } from './object.ts';

/** A copy of a file, or the file itself on its way to another place. */
interface Copy {
  readonly source: StoredObject;
  /** The row of the copy, without what follows from its place. */
  readonly row: Omit<StoredObject, 'incarnation' | 'createdAt'>;
  /** What is at its place, expired or not. */
  readonly existing: StoredObject | undefined;
  readonly isMove: boolean;
  readonly actor: Actor;
}

/**
 * Writes the row of a copy, in place of what is there, and all that goes with it. Bytes stay where they are. Answers
 * the file and the sequence of its activity.
 *
 * @throws STORAGE_QUOTA_EXCEEDED
 */
export async function placeCopy(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'objects'>,
  ids: Pick<Ids, 'opaqueId'>,
  { source, row, existing, isMove, actor }: Copy,
): Promise<{ readonly object: StoredObject; readonly sequence: number }> {
  const { accountId } = row;
  const bytes = (isMove ? 0 : source.sizeBytes) - (existing?.sizeBytes ?? 0);
  await requireRoom(tx.accounts, accountId, bytes);
  const object = { ...row, incarnation: incarnationAt(ids, row, existing, tx.now), createdAt: tx.now };
  // Shared before the old one is let go, which may be the same.
  if (isMove) await tx.objects.remove(source);
  else await tx.contents.share(source.contentId);
  await tx.objects.put(object);
  if (existing) await tx.contents.release(existing.contentId);
  await tx.accounts.addUsage(accountId, { bytes, objects: (isMove ? 0 : 1) - (existing ? 1 : 0) });
  const details = { source: formatObjectId(source), moved: isMove };
  const sequence = await recordActivity(tx, { accountId, type: 'object.copied', object, details, actor });
  return { object, sequence };
}
