import type { ObjectEntry, ObjectInfo, UpdateResult, UploadObjectData } from '#generated/types.ts';
import { servedCacheControl } from '#server/domain/cache-control.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import type { StoredObject } from '../object.ts';
import { servingOf } from '../serving.ts';
import type { ListedObject } from '../table.ts';
import type { UpdateOutcome } from '../update/update-objects.ts';
import type { UploadOptions } from '../upload/upload-options.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';
import { timestamp, timestampOrNull } from '#server/handlers/wire.ts';

type UploadQuery = NonNullable<UploadObjectData['query']>;

/** Returns the options that an upload in one request and an upload in parts have in common. */
export function uploadOptions(query: Omit<UploadQuery, 'checksum_sha256'>): UploadOptions {
  return {
    name: query.name,
    prefix: query.prefix,
    isPrivate: query.private,
    securityHash: query.security_hash,
    expire: query.expire === 'never' ? null : query.expire,
    overwrite: query.overwrite,
    disposition: query.disposition ?? (query.auto_download ? 'attachment' : undefined),
    cacheControl: query.cache_control,
    metadata: query.metadata,
  };
}

/** Returns the id, the visibility and the URL of a file. */
export function placeOf(address: ObjectAddress, url: string | null) {
  return { id: formatObjectId(address), private: address.space === 'private', url };
}

/** Returns when a file expires, or nothing for a file that never does. */
export function expiryOf({ expiresAt }: Pick<StoredObject, 'expiresAt'>): { readonly expires_at?: string } {
  return expiresAt === null ? {} : { expires_at: timestamp(expiresAt) };
}

/** Returns a file as an entry of a list. */
export function entryOf(object: ListedObject, url: string | null): ObjectEntry {
  return {
    ...placeOf(object, url),
    ...expiryOf(object),
    size: object.sizeBytes,
    created_at: timestamp(object.createdAt),
    etag: object.etag,
  };
}

/** Returns everything about one file. */
export function infoOf(object: StoredObject, url: string | null): ObjectInfo {
  const { contentType, disposition, filename } = servingOf(object);
  return {
    ...placeOf(object, url),
    size: object.sizeBytes,
    content_type: contentType,
    etag: object.etag,
    created_at: timestamp(object.createdAt),
    expires_at: timestampOrNull(object.expiresAt),
    cache_control: object.cacheControl === null ? null : servedCacheControl(object.cacheControl),
    content_disposition: disposition && cleanDisposition(disposition, filename),
    original_name: object.originalName,
    metadata: { ...object.metadata },
    legacy: object.space === 'legacy',
    sha256: object.sha256,
  };
}

/** Returns the outcome of one file of an update. */
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
    ...placeOf(object, url(object)),
    size: object.sizeBytes,
    expires_at: timestampOrNull(object.expiresAt),
  };
}
