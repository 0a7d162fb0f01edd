import type { ObjectEntry, ObjectInfo, UpdateResult } from '#generated/types.ts';
import { servedCacheControl } from '#server/domain/cache-control.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import type { UpdateOutcome } from '#server/domain/objects/update-objects.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';
import { timestamp } from './wire.ts';

/** A file in a list. */
export function entryOf(object: StoredObject, url: string | null): ObjectEntry {
  return {
    id: formatObjectId(object),
    size: object.sizeBytes,
    created_at: timestamp(object.createdAt),
    ...(object.expiresAt !== null && { expires_at: timestamp(object.expiresAt) }),
    private: object.space === 'private',
    url,
    etag: object.etag,
  };
}

/** All that there is to say of a file. */
export function infoOf(object: StoredObject, url: string | null): ObjectInfo {
  const { contentType, disposition, filename } = servingOf(object);
  return {
    id: formatObjectId(object),
    size: object.sizeBytes,
    content_type: contentType,
    etag: object.etag,
    created_at: timestamp(object.createdAt),
    expires_at: object.expiresAt === null ? null : timestamp(object.expiresAt),
    private: object.space === 'private',
    url,
    cache_control: object.cacheControl === null ? null : servedCacheControl(object.cacheControl),
    content_disposition: disposition && cleanDisposition(disposition, filename),
    original_name: object.originalName,
    metadata: { ...object.metadata },
    legacy: object.space === 'legacy',
    sha256: object.sha256,
  };
}

/** What became of one file of an update. */
export function updateResultOf(
  id: string,
  outcome: UpdateOutcome,
  url: (object: StoredObject) => string | null,
): UpdateResult {
  if (!outcome.ok) return { object: id, ok: false, code: outcome.code };
  const { object, isMoved } = outcome;
  return {
    object: id,
    ok: true,
    changed: isMoved,
    id: formatObjectId(object),
    private: object.space === 'private',
    url: url(object),
    size: object.sizeBytes,
    expires_at: object.expiresAt === null ? null : timestamp(object.expiresAt),
  };
}
