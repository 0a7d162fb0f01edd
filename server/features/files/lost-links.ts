import type { Actor } from '#server/domain/activity/activity.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { recordShareEnd, recordShareEvent, type LossReason } from '#server/domain/events/share-event.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import type { StoredObject } from './object.ts';

/**
 * Ends the links of a file that is no longer at its address, and adds the event of each. Call it in the transaction
 * that removes the file. Links that have no downloads left end when their time is over.
 */
export async function endLinks(
  tx: Transaction<'events' | 'linksOfFile'>,
  address: ObjectAddress,
  reason: LossReason,
  { auth }: Pick<Actor, 'auth'>,
): Promise<void> {
  for (const link of await tx.linksOfFile.lose(address)) {
    // It may have expired already without an event.
    if (link.expiresAt <= tx.now) await recordShareEnd(tx, link, 'expired');
    else await recordShareEnd(tx, link, reason, { auth });
  }
}

/** Writes a file's row in place of an earlier one. If that was another file, because it had expired, its links end. */
export async function putInPlace(
  tx: Transaction<'events' | 'objects' | 'linksOfFile'>,
  object: StoredObject,
  former: StoredObject | undefined,
): Promise<void> {
  if (former && former.generation !== object.generation) await endLinks(tx, former, 'file_expired', systemActor);
  await tx.objects.put(object);
}

/** Opens the links of a file again after the change that ended them was undone. */
export async function reopenLinks(tx: Transaction<'events' | 'linksOfFile'>, object: StoredObject): Promise<void> {
  for (const link of await tx.linksOfFile.regain(object, object.generation, tx.now))
    await recordShareEvent(tx, 'share.updated', link, { isUndone: true, auth: systemActor.auth });
}
