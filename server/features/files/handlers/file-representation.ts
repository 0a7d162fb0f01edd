import type { Representation } from '#server/http/send-representation.ts';
import type { StoredObject } from '../object.ts';
import type { Serving } from '../serving.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';

/**
 * Keeps user content from running as a page: a document is sandboxed, without scripts, forms or foreign resources.
 * Styles are allowed for the browser's own viewers of images and text.
 */
export const documentPolicy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Returns a stored file as HTTP serves it. */
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

/**
 * Returns a stored file as a link serves it. A link can end at any moment, also because its file is deleted or moved.
 * So no cache may serve it unless the server agrees, and no robot may index it.
 */
export function linkedRepresentation(
  object: Parameters<typeof fileRepresentation>[0],
  serving: Serving,
  open: Representation['open'],
): Representation {
  const file = fileRepresentation(object, serving, { cacheControl: 'private, no-cache', open });
  return { ...file, headers: { ...file.headers, 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' } };
}
