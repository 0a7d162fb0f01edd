import type { Actor } from '../activity/activity.ts';
import type { EventData, EventType } from '../events/event.ts';
import { instant, recordEvent } from '../events/record-event.ts';
import { formatObjectId } from '../object-id.ts';
import type { Transaction } from '../ports/metadata.ts';
import { servedType } from './file-type.ts';
import type { StoredObject } from './object.ts';

/** Adds an event about a file that is, or was, stored. */
export async function recordFileEvent(
  tx: Transaction<'events'>,
  type: Extract<EventType, `object.${string}`>,
  object: StoredObject,
  actor: Actor,
  more: EventData = {},
): Promise<void> {
  const data = { object: fileData(object), auth: actor.auth, ...more };
  await recordEvent(tx, object.accountId, type, data, object.key);
}

function fileData(object: StoredObject): EventData {
  return {
    id: formatObjectId(object),
    size: object.sizeBytes,
    etag: object.etag,
    sha256: object.sha256,
    content_type: servedType(object.key).contentType,
    private: object.space === 'private',
    created_at: instant(object.createdAt),
    expires_at: object.expiresAt === null ? null : instant(object.expiresAt),
    original_name: object.originalName,
    metadata: object.metadata,
  };
}
