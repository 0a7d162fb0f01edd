import type { Representation } from '#generated/router.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import type { Serving } from '#server/domain/objects/served-headers.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';

/**
 * User content must never run as a page: a document is sandboxed, without script, forms or anything from elsewhere.
 * Styles are for the browser's own viewers of images and text.
 */
export const documentPolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** A stored file as HTTP hands it out. */
export function fileRepresentation(
  object: Pick<StoredObject, 'sizeBytes' | 'etag' | 'createdAt'>,
  { contentType, disposition, filename }: Serving,
  { cacheControl, open }: { readonly cacheControl: string; readonly open: Representation['open'] },
): Representation {
  return {
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    lastModifiedMs: object.createdAt,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': cacheControl,
      'Content-Security-Policy': documentPolicy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(disposition && { 'Content-Disposition': cleanDisposition(disposition, filename) }),
    },
    open,
  };
}
