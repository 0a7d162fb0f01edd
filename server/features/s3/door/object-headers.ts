import { cappedCacheControl, servedCacheControl } from '#server/domain/cache-control.ts';
import { isRenderable } from '#server/features/files/file-type.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { servingOf } from '#server/features/files/serving.ts';
import { s3Metadata } from '../s3-writing.ts';
import { documentPolicy } from '#server/features/files/handlers/file-representation.ts';
import { cleanDisposition, filenameOf } from '#server/http/content-disposition.ts';
import { formatHttpDate, parseHttpDate } from '#server/http/http-date.ts';

/** Returns the response headers of a file: those that its S3 client set, or else those that the other doors send. */
export function objectHeaders(object: StoredObject): Record<string, string> {
  const { clientProperties, cacheControl, expiresAt } = object;
  const serving = servingOf(object);
  // A file that came over S3 is an attachment only when somebody says so, because its readers hold a key.
  const derived = clientProperties ? object.disposition : serving.disposition;
  const headers: Record<string, string | undefined> = {
    // A presigned address can be opened in a browser.
    'Content-Security-Policy': documentPolicy,
    'Content-Type': clientProperties ? clientProperties.contentType || 'binary/octet-stream' : serving.contentType,
    'Cache-Control':
      clientProperties?.cacheControl ?? (cacheControl === null ? undefined : servedCacheControl(cacheControl)),
    'Content-Disposition':
      clientProperties?.contentDisposition ?? (derived ? cleanDisposition(derived, serving.filename) : undefined),
    'Content-Encoding': clientProperties?.contentEncoding,
    'Content-Language': clientProperties?.contentLanguage,
    Expires: clientProperties?.expires,
    'x-amz-expiration':
      expiresAt === null ? undefined : `expiry-date="${new Date(expiresAt).toUTCString()}", rule-id="expiry"`,
  };
  const sent: Record<string, string> = {};
  for (const name in headers) if (headers[name] !== undefined) sent[name] = headers[name];
  for (const [name, value] of Object.entries(s3Metadata(object))) sent[`x-amz-meta-${name}`] = value;
  return sent;
}

/**
 * Returns the headers of a file for a browser: one that a browser would render or run is saved, as at the other doors,
 * whatever its owner or the signer of the address requested.
 */
export function savedIfRenderable(headers: Record<string, string>, object: StoredObject): Record<string, string> {
  const { 'Content-Type': type = '', 'Content-Disposition': own } = headers;
  if (!isRenderable(type) || /^\s*attachment\s*(;|$)/i.test(own ?? '')) return headers;
  const filename = (own === undefined ? undefined : filenameOf(own)) ?? servingOf(object).filename;
  return { ...headers, 'Content-Disposition': cleanDisposition('attachment', filename) };
}

/** Returns the headers with caching times that end when the file expires. */
export function endingWithFile(
  headers: Record<string, string>,
  { expiresAt }: Pick<StoredObject, 'expiresAt'>,
  now: number,
): Record<string, string> {
  if (expiresAt === null) return headers;
  const { 'Cache-Control': caching, Expires: expires } = headers;
  const isTooLate = expires !== undefined && (parseHttpDate(expires) ?? 0) > expiresAt;
  return {
    ...headers,
    ...(caching !== undefined && { 'Cache-Control': cappedCacheControl(caching, expiresAt - now) }),
    ...(isTooLate && { Expires: formatHttpDate(expiresAt) }),
  };
}
