import type { Account } from '#server/domain/account/account.ts';
import { requireFitOfFile } from '#server/domain/account/quota.ts';
import { recordQuotaReached } from '#server/domain/account/quota-event.ts';
import type { ActivityType, Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { FileOrigin } from '#server/domain/events/event-details.ts';
import { recordFileEvent } from './file-event.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { BlobReference } from '#server/domain/contents/table.ts';
import { generationAt } from './generation.ts';
import { putInPlace } from './lost-links.ts';
import { nameDetail } from './name-detail.ts';
import { retireObject } from './retire-object.ts';
import { isExpired, type StoredObject } from './object.ts';
import type { FileTables } from './table.ts';
import { newVersionId } from './version.ts';

/** A file that no row names yet. Its bytes are durable, or few enough to go into the row. */
export interface NewObject extends Omit<StoredObject, 'contentId' | 'generation' | 'versionId' | 'createdAt'> {
  /** Its bytes, in order. */
  readonly blobs: readonly BlobReference[];
  /** CRC-32 of its bytes. */
  readonly crc32: number;
  /** Whether it may replace a file at its address. */
  readonly mayReplace: boolean;
  readonly activity: {
    readonly type: ActivityType;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly actor: Actor;
  };
  /** Further fields of its event. */
  readonly origin?: FileOrigin;
}

/** Where a file is written, as it is in this transaction. */
interface Place {
  /** Without the reserved quota of the bytes. Undefined if there is none. */
  readonly account: Account | undefined;
  /** The file at the address. */
  readonly existing: StoredObject | undefined;
}

/** A file that was written, and whether it replaced another one. */
export interface PlacedObject {
  readonly object: StoredObject;
  readonly isReplaced: boolean;
}

/**
 * Writes a file's row, in place of one at the same address, with its content, the account's usage and its activity.
 *
 * @throws OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED
 */
export async function storeObject(
  tx: Transaction<FileTables>,
  ids: Pick<Ids, 'nameHash' | 'orderedId'>,
  { account, existing }: Place,
  file: NewObject,
): Promise<PlacedObject> {
  const { blobs, crc32, mayReplace, activity, origin, ...row } = file;
  const { type, details, actor } = activity;
  const { accountId, space, key, sizeBytes } = row;
  const address = { accountId, space, key };
  const isReplaced = existing !== undefined && !isExpired(existing, tx.now);
  if (isReplaced && !mayReplace) throw new Refusal('OBJECT_ALREADY_EXISTS');

  const object: StoredObject = {
    ...row,
    contentId: ids.orderedId(tx.now),
    generation: generationAt(ids, address, existing, tx.now),
    versionId: newVersionId(ids, existing, tx.now),
    createdAt: tx.now,
  };
  await tx.contents.add({ id: object.contentId, sizeBytes, blobs, crc32 });
  await putInPlace(tx, object, existing);
  const freedBytes = existing ? (await retireObject(tx, existing, 'replaced')).freedBytes : 0;
  requireFitOfFile(account, sizeBytes, freedBytes);
  const addedBytes = sizeBytes - freedBytes;
  await tx.accounts.addUsage(accountId, { bytes: addedBytes, objects: existing ? 0 : 1 });
  await recordActivity(tx, {
    accountId,
    type,
    object: address,
    details: { size: sizeBytes, replaced: isReplaced, ...nameDetail(row), ...details },
    actor,
  });
  await recordFileEvent(tx, isReplaced ? 'object.replaced' : 'object.created', object, { actor, ...origin });
  await recordQuotaReached(tx, account, addedBytes);
  return { object, isReplaced };
}
