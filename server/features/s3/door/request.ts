import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

import type { Caller } from '#server/domain/access/caller.ts';
import type { ObjectAddress, Space } from '#server/domain/object-id.ts';
import { S3Refusal } from '../s3-refusal.ts';
import { parseQuery, type RawQuery } from '#server/http/query.ts';
import { invalidArgument } from './errors.ts';

export interface S3Body {
  /** The size of the file in the body, without the framing of aws-chunked. Undefined when it is not announced. */
  readonly announcedBytes: number | undefined;
  /** The bytes of the file, which can be read once. They end in a refusal where they do not match their signature. */
  bytes(): AsyncIterable<Uint8Array>;
  /** The SHA-256 of the file in hex, if the request states it. The bytes end in a refusal if they have another one. */
  readonly sha256?: string | undefined;
  /** The trailers after the bytes, by name in lower case. Complete once the bytes have ended. */
  readonly trailers: ReadonlyMap<string, string>;
}

/** The target of a request, read from its path, query and host. */
export interface S3Target {
  /** As it was sent, percent-encoded. */
  readonly rawPath: string;
  /** As it was sent, without `?`. */
  readonly rawQuery: string;
  readonly query: RawQuery;
  /** Undefined for the service itself. */
  readonly bucket: string | undefined;
  /** Decoded once, and not normalised. Undefined for the bucket itself. */
  readonly key: string | undefined;
}

/** A request whose signature was checked. */
export interface S3Request extends S3Target {
  readonly method: string;
  /**
   * Returns a header by its name in lower case. In a presigned request, a header that begins with `x-amz-` may be in
   * the query instead.
   */
  header(name: string): string | undefined;
  /** Returns the names of all headers that begin with `start`, in lower case. */
  headerNames(start: string): string[];
  readonly body: S3Body;
  /** Whether the signature is in the query, so that anybody with the address can send the request. */
  readonly isPresigned: boolean;
  /** The fields of PostObject's form. Undefined for every other operation. */
  readonly form?: ReadonlyMap<string, string>;
  readonly incoming: IncomingMessage;
}

export type Headers = Pick<S3Request, 'header' | 'headerNames'>;

/** The space of each bucket, in the order of ListBuckets. */
export const buckets: ReadonlyMap<string, Space> = new Map([
  ['legacy', 'legacy'],
  ['private', 'private'],
  ['public', 'public'],
]);

/** @throws NoSuchBucket */
export function spaceOf(bucket: string | undefined): Space {
  const space = buckets.get(bucket ?? '');
  if (space === undefined) throw new S3Refusal('NoSuchBucket', { details: { BucketName: bucket ?? '' } });
  return space;
}

/** Returns the address of the file that a request names. @throws NoSuchBucket */
export function addressOf({ account }: Caller, { bucket, key }: Pick<S3Target, 'bucket' | 'key'>): ObjectAddress {
  return { accountId: account.id, space: spaceOf(bucket), key: key! };
}

/**
 * Reads bucket and key from the path, or the bucket from a host such as `public.s3.example.com`. Nothing is normalised:
 * two slashes stay two, and `%2F` is a slash like any other.
 *
 * @param s3Host the gateway's own host name, without a port
 * @throws InvalidURI, InvalidBucketName for an empty bucket name
 */
export function targetOf(url: string, host: string | undefined, s3Host: string): S3Target {
  const rawPath = url.split('?', 1)[0]!;
  const raw = { rawPath, rawQuery: url.slice(rawPath.length + 1), query: parseQuery(url) };
  let path: string;
  try {
    path = decodeURIComponent(rawPath);
  } catch {
    throw new S3Refusal('InvalidURI');
  }
  const name = host?.toLowerCase().replace(/:\d*$/, '') ?? '';
  if (name.endsWith(`.${s3Host}`))
    return { ...raw, bucket: name.slice(0, -(s3Host.length + 1)), key: path.slice(1) || undefined };
  const [, bucket, key] = /^\/([^/]*)(?:\/([^]*))?$/.exec(path) ?? [];
  // Two slashes stay two: `//bucket/key` has an empty bucket name, and does not mean the service.
  if (bucket === '' && key !== undefined) throw new S3Refusal('InvalidBucketName', { details: { BucketName: '' } });
  return { ...raw, bucket: bucket || undefined, key: key || undefined };
}

/**
 * Returns the request as operations see it.
 *
 * @param hoisted the headers in the query of a presigned request. Undefined for any other request
 */
export function requestOf(
  incoming: IncomingMessage,
  target: S3Target,
  body: S3Body,
  hoisted: ReadonlyMap<string, string> | undefined,
): S3Request {
  const sent = Object.keys(incoming.headers);
  const names = hoisted ? [...new Set([...sent, ...hoisted.keys()])] : sent;
  return {
    ...target,
    method: incoming.method ?? 'GET',
    header: (name) => headerText(incoming, name) ?? hoisted?.get(name),
    headerNames: (start) => names.filter((name) => name.startsWith(start)),
    body,
    isPresigned: hoisted !== undefined,
    incoming,
  };
}

/** Node reads headers as Latin-1, while S3 clients write UTF-8. */
function headerText({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const text = headersDistinct[name]?.join(',');
  if (text === undefined || !/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
}

/**
 * Returns the only value of a query parameter, or undefined when it is not given.
 *
 * @throws InvalidArgument when it is given twice or is not UTF-8
 */
export function parameter({ query }: Pick<S3Request, 'query'>, name: string): string | undefined {
  const [value, ...others] = query.get(name) ?? [];
  if (others.length > 0 || value?.includes('\u0000'))
    throw invalidArgument(name, `The parameter ${name} must be given once, as percent-encoded UTF-8.`, value ?? '');
  return value;
}
