import { cappedCacheControl, servedCacheControl } from '#server/domain/cache-control.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { s3Metadata } from '#server/domain/s3/s3-writing.ts';
import { documentPolicy } from '#server/handlers/file-representation.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';
import { formatHttpDate, parseHttpDate } from '#server/http/http-date.ts';

/**
 * The headers of a file as S3 hands it out: as its client set them, and where it set none, as the other doors would
 * serve it.
 */
export function objectHeaders(object: StoredObject): Record<string, string> {
  const { clientProperties, cacheControl, expiresAt } = object;
  const serving = servingOf(object);
  // What S3 wrote is an attachment only where somebody says so: whoever reads here holds a key.
  const derived = clientProperties ? object.disposition : serving.disposition;
  const disposition =
    clientProperties?.contentDisposition ?? (derived ? cleanDisposition(derived, serving.filename) : undefined);
  const caching =
    clientProperties?.cacheControl ?? (cacheControl === null ? undefined : servedCacheControl(cacheControl));
  const metadata = Object.entries(s3Metadata(object)).map(([name, value]) => [`x-amz-meta-${name}`, headerText(value)]);
  const headers = {
    // A presigned address can be opened in a browser.
    'Content-Security-Policy': documentPolicy,
    'Content-Type': clientProperties ? (clientProperties.contentType ?? 'binary/octet-stream') : serving.contentType,
    'Cache-Control': caching,
    'Content-Disposition': disposition,
    'Content-Encoding': clientProperties?.contentEncoding,
    'Content-Language': clientProperties?.contentLanguage,
    Expires: clientProperties?.expires,
  };
  return {
    ...Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, headerText(value)]])),
    ),
    ...(expiresAt !== null && {
      'x-amz-expiration': `expiry-date="${new Date(expiresAt).toUTCString()}", rule-id="expiry"`,
    }),
    ...Object.fromEntries(metadata),
  };
}

/** The same headers, of which none lets a cache keep the file beyond its end. */
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

/** Node writes headers as Latin-1: UTF-8 goes through it byte by byte. */
export function headerText(text: string): string {
  return Buffer.from(text).toString('latin1');
}
