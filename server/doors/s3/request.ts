import type { IncomingMessage } from 'node:http';

import { isKey, type Space } from '#server/domain/object-id.ts';
import { maxS3KeyBytes, maxXmlBytes } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { parseQuery, type RawQuery } from '#server/http/query.ts';

/** What a request brings in its body. */
export interface S3Body {
  /** How many bytes the file itself has, out of its chunks; undefined when nothing says. */
  readonly announcedBytes: number | undefined;
  /** The bytes themselves, read once; a signature that does not fit ends them with a refusal. */
  bytes(): AsyncIterable<Uint8Array>;
  /** What came behind the bytes, by name in lower case; complete once the bytes have ended. */
  readonly trailers: ReadonlyMap<string, string>;
}

/** Where a request goes, read from path and host. */
export interface S3Target {
  /** The path as it was sent, percent-encoded. */
  readonly rawPath: string;
  /** Undefined for the service itself. */
  readonly bucket: string | undefined;
  /** Decoded once and otherwise as it was sent; undefined for the bucket itself. */
  readonly key: string | undefined;
}

/** A request whose signature holds. */
export interface S3Request extends S3Target {
  readonly method: string;
  readonly query: RawQuery;
  /**
   * A header by its name in lower case; in a presigned request one that begins with `x-amz-` may stand in the query.
   */
  header(name: string): string | undefined;
  /** All names of headers that begin with this, in lower case. */
  headerNames(start: string): string[];
  readonly body: S3Body;
  readonly incoming: IncomingMessage;
}

/** Which of the spaces each bucket is, in the order of lists. */
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

/**
 * A key that can be stored.
 *
 * @throws KeyTooLongError, InvalidArgument when it has a `.` or `..` segment or a character that no key has
 */
export function checkedKey(key: string): string {
  const sizeBytes = Buffer.byteLength(key);
  if (sizeBytes > maxS3KeyBytes)
    throw new S3Refusal('KeyTooLongError', {
      details: { Size: String(sizeBytes), MaxSizeAllowed: String(maxS3KeyBytes) },
    });
  if (!isKey(key))
    throw new S3Refusal('InvalidArgument', {
      message: 'A key may have no "." or ".." between slashes and no control characters.',
      details: { ArgumentName: 'key' },
    });
  return key;
}

/**
 * Reads bucket and key: from the path, or the bucket from a host such as `public.s3.example.com`. Nothing is
 * normalised: two slashes stay two, and `%2F` is a slash like any other.
 *
 * @param s3Host the gateway's own host name, without a port
 * @throws InvalidURI, InvalidBucketName when the bucket's name is empty
 */
export function targetOf(url: string, host: string | undefined, s3Host: string): S3Target {
  const rawPath = url.split('?', 1)[0]!;
  let path: string;
  try {
    path = decodeURIComponent(rawPath);
  } catch {
    throw new S3Refusal('InvalidURI');
  }
  const name = host?.toLowerCase().replace(/:\d*$/, '') ?? '';
  if (name.endsWith(`.${s3Host}`))
    return { rawPath, bucket: name.slice(0, -(s3Host.length + 1)), key: path.slice(1) || undefined };
  const [, bucket, key] = /^\/([^/]*)(?:\/([^]*))?$/.exec(path) ?? [];
  // Two slashes stay two: `//bucket/key` names a bucket without a name, and not the service.
  if (bucket === '' && key !== undefined) throw new S3Refusal('InvalidBucketName', { details: { BucketName: '' } });
  return { rawPath, bucket: bucket || undefined, key: key || undefined };
}

/** In a presigned address one SDK puts the checksum of the body that it did not have yet. */
const checksumsOfNothing = /^x-amz-(checksum-|sdk-checksum-)/;

/** The parts of a request that operations look at. */
export function requestOf(incoming: IncomingMessage, target: S3Target, body: S3Body, isPresigned: boolean): S3Request {
  const query = parseQuery(incoming.url ?? '');
  const hoisted = new Map<string, string>();
  if (isPresigned)
    for (const [name, [value]] of query)
      if (/^x-amz-/i.test(name) && !checksumsOfNothing.test(name.toLowerCase()))
        hoisted.set(name.toLowerCase(), value!);
  return {
    ...target,
    method: incoming.method ?? 'GET',
    query,
    header: (name) => headerText(incoming, name) ?? hoisted.get(name),
    headerNames: (start) =>
      [...new Set([...Object.keys(incoming.headers), ...hoisted.keys()])].filter((name) => name.startsWith(start)),
    body,
    incoming,
  };
}

/** Node reads headers as Latin-1, while S3 clients write UTF-8. */
function headerText({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const text = headersDistinct[name]?.join(',');
  if (text === undefined || !/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}

/**
 * A query parameter's only value; undefined when there is none. @throws InvalidArgument when it is given twice or is no
 * UTF-8
 */
export function parameter({ query }: Pick<S3Request, 'query'>, name: string): string | undefined {
  const [value, ...others] = query.get(name) ?? [];
  if (others.length > 0 || value?.includes('\u0000')) {
    throw new S3Refusal('InvalidArgument', {
      message: `The parameter ${name} cannot be read.`,
      details: { ArgumentName: name, ArgumentValue: value ?? '' },
    });
  }
  return value;
}

/** The whole body as text, for operations that take XML. @throws MalformedXML when it is too large or no UTF-8 */
export async function bodyText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxXmlBytes)
      throw new S3Refusal('MalformedXML', { message: `The body may have ${maxXmlBytes} bytes.` });
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new S3Refusal('MalformedXML');
  }
}
