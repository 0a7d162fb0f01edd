import { systemActor, type Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type Transaction, MetadataUnavailable, type Writes } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { formatObjectId, type ObjectAddress } from '../object-id.ts';
import { isExpired } from './object.ts';
import { unavailableAs } from '../unavailable-as.ts';

interface Deps {
  readonly metadata: Writes<'accounts' | 'activity' | 'contents' | 'objects'>;
}

/**
 * Deletes one file's row and what hangs on it; answers false when readers had no such file. What had expired is gone by
 * itself: whoever comes by only clears it away.
 */
export async function removeObject(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'objects'>,
  address: ObjectAddress,
  actor: Actor,
): Promise<boolean> {
  const removed = await tx.objects.remove(address);
  if (!removed) return false;
  await tx.contents.release(removed.contentId);
  await tx.accounts.addUsage(address.accountId, { bytes: -removed.sizeBytes, objects: -1 });
  const wasExpired = isExpired(removed, tx.now);
  const { accountId, space, key } = removed;
  await recordActivity(tx, {
    accountId,
    type: 'object.deleted',
    object: { accountId, space, key },
    details: { size: removed.sizeBytes, ...(wasExpired && { expired: true }) },
    actor: wasExpired ? systemActor : actor,
  });
  return !wasExpired;
}

/**
 * Deletes one file.
 *
 * @throws OBJECT_NOT_FOUND, DELETE_FAILED
 */
export async function deleteObject({ metadata }: Deps, address: ObjectAddress, actor: Actor): Promise<void> {
  const removed = metadata.atomically((tx) => removeObject(tx, address, actor));
  if (!(await removed.catch(unavailableAs('DELETE_FAILED')))) throw new Refusal('OBJECT_NOT_FOUND');
}

export interface DeletionReport {
  readonly deleted: readonly string[];
  readonly notFound: readonly string[];
  readonly failed: readonly string[];
}

/** Deletes several files, each on its own, and reports on each id once, in the order in which they came. */
export async function deleteObjects(
  { metadata }: Deps,
  addresses: readonly ObjectAddress[],
  actor: Actor,
): Promise<DeletionReport> {
  const byId = new Map(addresses.map((address) => [formatObjectId(address), address]));
  const outcomes = await Promise.all(
    [...byId].map(async ([id, address]) => {
      try {
        return {
          id,
          outcome: (await metadata.atomically((tx) => removeObject(tx, address, actor))) ? 'deleted' : 'notFound',
        };
      } catch (error) {
        if (error instanceof MetadataUnavailable) return { id, outcome: 'failed' };
        throw error;
      }
    }),
  );
  const idsWith = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  return { deleted: idsWith('deleted'), notFound: idsWith('notFound'), failed: idsWith('failed') };
}
