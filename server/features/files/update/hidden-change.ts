import { systemActor, type Actor } from '#server/domain/activity/activity.ts';
import { recordFileEvent } from '../file-event.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { CdnUnavailable, type Cdn } from '#server/domain/ports/cdn.ts';
import type { Transaction, Writes } from '#server/domain/ports/metadata.ts';
import { sortedJson } from '#server/domain/sorted-json.ts';
import { endLinks, reopenLinks } from '../lost-links.ts';
import type { StoredObject } from '../object.ts';

/** The ports that making a file private needs. */
export interface HideDeps {
  readonly metadata: Writes<'accounts' | 'activity' | 'events' | 'objects' | 'purges' | 'linksOfFile'>;
  readonly cdn: Cdn;
  publicUrl(object: StoredObject): string | null;
}

/** A committed change of one file. */
export interface WrittenChange {
  readonly before: StoredObject;
  readonly after: StoredObject;
  /** Its entry in the activity of the account. */
  readonly sequence: number;
}

/**
 * Tells the CDN, once, to drop the public copies of all files. Returns whether the CDN confirmed it.
 *
 * @param changed every file of the transactions: the purges that they have queued are then done
 * @param changeId the `purgedChangeId` of the transactions that hid the files
 */
export async function dropsPublicCopies(
  { cdn, publicUrl }: HideDeps,
  changed: readonly WrittenChange[],
  changeId: string,
): Promise<boolean> {
  const urls = [...new Set(changed.flatMap(({ before, after }) => [publicUrl(before), publicUrl(after)]))].filter(
    (url) => url !== null,
  );
  try {
    await cdn.purge(urls, changeId);
    return true;
  } catch (error) {
    if (error instanceof CdnUnavailable) return false;
    throw error;
  }
}

/**
 * Makes a file public again, as it was, and removes the activity of the change. If another request has changed the file
 * meanwhile, the file stays as that request left it, and its purge waits in the store, so the CDN is told later.
 */
export async function takeBack(
  { metadata, publicUrl }: HideDeps,
  { before, after, sequence }: WrittenChange,
  changeId: string,
): Promise<void> {
  await metadata.atomically(
    async (tx) => {
      const current = await tx.objects.find(after);
      if (!current || sortedJson(current) !== sortedJson(after) || (await tx.objects.find(before))) return;
      await rewrite(tx, after, before, systemActor);
      await reopenLinks(tx, before);
      await tx.activity.remove(after.accountId, sequence);
      // The event of the change may have been delivered already, so another one follows.
      const undone = { actor: systemActor, from: formatObjectId(after), isUndone: true } as const;
      await recordFileEvent(tx, 'object.visibility_changed', before, undone);
      await tx.purges.removeOfChange(changeId, publicUrl(before)!);
    },
    { account: after.accountId },
  );
}

/** Replaces a file's row by another one of the same file. Its links end if its address changes. */
export async function rewrite(
  tx: Transaction<'accounts' | 'events' | 'objects' | 'linksOfFile'>,
  before: StoredObject,
  after: StoredObject,
  actor: Actor,
): Promise<void> {
  if (after.space !== before.space || after.key !== before.key) {
    await tx.objects.remove(before);
    await endLinks(tx, before, 'file_moved', actor);
  }
  await tx.objects.put(after);
  await tx.accounts.addUsage(after.accountId, { bytes: 0, objects: 0 });
}
