import type { Actor } from '#server/domain/activity/activity.ts';
import type { FileDetails } from '#server/domain/events/event-details.ts';
import type { EventType } from '#server/domain/events/event-type.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Transaction } from '#server/domain/ports/metadata.ts';
import { servedType } from './file-type.ts';
import type { StoredObject } from './object.ts';

/** Adds an event about a file that is, or was, stored. */
export async function recordFileEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `object.${string}`>,
  file: StoredObject,
  { actor, ...more }: Omit<FileDetails, 'object' | 'auth'> & { readonly actor: Pick<Actor, 'auth'> },
): Promise<void> {
  const { accountId, key, sizeBytes, etag, sha256, createdAt, expiresAt, originalName, metadata } = file;
  const object = {
    id: formatObjectId(file),
    sizeBytes,
    etag,
    sha256,
    contentType: servedType(key).contentType,
    isPrivate: file.space === 'private',
    createdAt,
    expiresAt,
    originalName,
    metadata,
  };
  await tx.events.add({ accountId, type, key, data: { object, auth: actor.auth, ...more } }, tx.now);
}
