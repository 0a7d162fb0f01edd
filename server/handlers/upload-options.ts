import type { UploadObjectData } from '#generated/types.ts';
import type { UploadOptions } from '#server/domain/objects/upload-options.ts';
import { withoutTrailingSlash } from './wire.ts';

type UploadQuery = NonNullable<UploadObjectData['query']>;

/** The wishes that an upload in one request and one in parts send in the same words. */
export function uploadOptions(query: Omit<UploadQuery, 'checksum_sha256'>): UploadOptions {
  return {
    name: query.name,
    prefix: withoutTrailingSlash(query.prefix),
    isPrivate: query.private,
    securityHash: query.security_hash,
    expire: query.expire,
    overwrite: query.overwrite,
    disposition: query.disposition ?? (query.auto_download ? 'attachment' : undefined),
    cacheControl: query.cache_control,
    metadata: query.metadata,
  };
}
