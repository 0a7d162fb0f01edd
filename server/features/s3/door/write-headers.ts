import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { ClientHeaders } from '#server/features/files/object.ts';
import { maxS3MetadataBytes } from '../limits.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { S3Writing } from '../s3-writing.ts';
import type { WriteConditions } from '#server/domain/write-conditions.ts';
import { decodedWords } from '#server/http/encoded-words.ts';
import { wireValue } from '#server/http/wire-headers.ts';
import { requireAgreeingHeaders } from './acl.ts';
import { refuseLegacyWrite } from './authorize.ts';
import type { S3Context } from './context.ts';
import { invalidArgument } from './errors.ts';
import { requireKey } from './keys.ts';
import { headerNotImplemented } from './not-implemented.ts';
import { addressOf, type Headers, type S3Request } from './request.ts';

const metaStart = 'x-amz-meta-';

/**
 * Returns the address that a request writes to. It refuses a key that cannot be stored. It also refuses headers that
 * ask for encryption, tags, locks or another storage class, and an ACL that says something else than the bucket.
 *
 * @throws NoSuchBucket, AccessDenied, KeyTooLongError, InvalidArgument, NotImplemented, InvalidStorageClass,
 *   AccessControlListNotSupported, InvalidRequest
 */
export function writeAddress(
  { caller, encryptsFiles }: Pick<S3Context, 'caller' | 'encryptsFiles'>,
  request: S3Request,
): ObjectAddress {
  const address = addressOf(caller, request);
  refuseLegacyWrite(request.bucket);
  requireKey(address.key);
  const { header, headerNames } = request;
  const unknown =
    (asksForEncryption(request) && encryptsFiles ? undefined : headerNames(encryptionHeader)[0]) ??
    // An empty list of tags asks for nothing.
    refusedHeaders.find((name) => (name === 'x-amz-tagging' ? header(name) : header(name) !== undefined));
  if (unknown !== undefined) throw headerNotImplemented(unknown);
  const storageClass = header('x-amz-storage-class');
  if (storageClass !== undefined && storageClass !== 'STANDARD')
    throw new S3Refusal('InvalidStorageClass', { details: { StorageClassRequested: storageClass } });
  requireAgreeingHeaders(request, address);
  return address;
}

const encryptionHeader = 'x-amz-server-side-encryption';

/**
 * Whether a request asks for the encryption that a server with a key-encryption key gives to all files, and for no
 * other.
 */
export function asksForEncryption({ header, headerNames }: Headers): boolean {
  return header(encryptionHeader) === 'AES256' && headerNames(encryptionHeader).length === 1;
}

/** Returns the header by which a write says that it has encrypted, if the request wanted it. */
export function encryptionHeaders(request: Headers): Record<string, string> {
  return asksForEncryption(request) ? { [encryptionHeader]: 'AES256' } : {};
}

const refusedHeaders = [
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-object-lock-mode',
  'x-amz-object-lock-retain-until-date',
  'x-amz-object-lock-legal-hold',
  'x-amz-write-offset-bytes',
];

/**
 * Returns the headers and metadata that a request sets on the file it writes. @throws MetadataTooLarge, InvalidArgument
 */
export function writingOf(request: Headers): S3Writing {
  return { headers: headersOf(request), metadata: userMetadata(request) };
}

/** The headers that are stored with a file, and the property of each. */
const storedHeaders = [
  ['Content-Type', 'contentType'],
  ['Cache-Control', 'cacheControl'],
  ['Content-Disposition', 'contentDisposition'],
  ['Content-Encoding', 'contentEncoding'],
  ['Content-Language', 'contentLanguage'],
  ['Expires', 'expires'],
] as const satisfies ReadonlyArray<readonly [string, keyof ClientHeaders]>;

function headersOf({ header }: Headers): ClientHeaders {
  const given: { -readonly [property in keyof ClientHeaders]: string } = {};
  for (const [name, property] of storedHeaders) {
    const sent = header(name.toLowerCase());
    const value = property === 'contentEncoding' ? storedEncoding(sent) : sent;
    if (!value) continue;
    requireHeaderText(name, value);
    given[property] = value;
  }
  return given;
}

/**
 * Checks that a header can be sent with this value. @param argument its name in the request @throws InvalidArgument
 */
export function requireHeaderText(header: string, value: string, argument = header): void {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
    throw invalidArgument(argument, `${argument} has control characters, which no header can have.`);
  if (wireValue(header, value) !== undefined) return;
  throw invalidArgument(
    argument,
    header === 'Content-Disposition'
      ? `${argument} must begin with inline or attachment. A file name can be any text.`
      : `${argument} can have printable ASCII characters alone. Leave out or replace the others.`,
    value,
  );
}

/** Drops `aws-chunked`, which is about the request and not about the file. */
function storedEncoding(header: string | undefined): string | undefined {
  const encodings = (header ?? '').split(',').map((encoding) => encoding.trim());
  return (
    encodings.filter((encoding) => encoding !== '' && encoding.toLowerCase() !== 'aws-chunked').join(', ') || undefined
  );
}

/** @throws MetadataTooLarge, InvalidArgument when a name or value cannot be sent back as a header */
function userMetadata({ header, headerNames }: Headers): Record<string, string> {
  // A plain object would lose the name __proto__.
  const metadata = new Map<string, string>();
  let sizeBytes = 0;
  for (const name of headerNames(metaStart)) {
    const value = decodedWords((header(name) ?? '').trim());
    requireHeaderText(name, value);
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw invalidArgument(name, 'A name of user metadata must be allowed in a header.');
    metadata.set(name.slice(metaStart.length), value);
    sizeBytes += Buffer.byteLength(name) - metaStart.length + Buffer.byteLength(value);
  }
  if (sizeBytes > maxS3MetadataBytes)
    throw new S3Refusal('MetadataTooLarge', {
      details: { Size: String(sizeBytes), MaxSizeAllowed: String(maxS3MetadataBytes) },
    });
  return Object.fromEntries(metadata);
}

/** Returns `If-None-Match` and `If-Match` of a write. A form may have them among its fields, or in its headers. */
export function writeConditions({ header, incoming }: Pick<S3Request, 'header' | 'incoming'>): WriteConditions {
  const tags = (name: 'if-match' | 'if-none-match') => etagList(header(name) ?? incoming.headers[name]);
  // `If-None-Match` compares weakly (RFC 9110 section 13.1.2).
  return {
    ifNoneMatch: tags('if-none-match')?.map((tag) => unquoted(tag.replace(/^W\//, ''))),
    ifMatch: tags('if-match'),
  };
}

/** Returns the ETags of a list, without quotes. */
export function etagList(header: string | undefined): string[] | undefined {
  return header?.split(',').map((tag) => unquoted(tag.trim()));
}

/** Returns an ETag without its quotes, if it has any. */
export function unquoted(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}
