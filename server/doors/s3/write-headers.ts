import type { Space } from '#server/domain/object-id.ts';
import { maxS3MetadataBytes } from '#server/domain/s3/limits.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import type { ClientHeaders } from '#server/domain/objects/client-properties.ts';
import type { S3Writing } from '#server/domain/s3/s3-writing.ts';
import type { WriteConditions } from '#server/domain/s3/write-conditions.ts';
import { requireAgreeingHeaders } from './acl.ts';
import { headerNotHere } from './not-here.ts';
import type { S3Request } from './request.ts';

type Headers = Pick<S3Request, 'header' | 'headerNames'>;

const metaStart = 'x-amz-meta-';

/** What a request that writes a file sets on it. @throws MetadataTooLarge, InvalidArgument */
export function writingOf(request: Headers): S3Writing {
  return { headers: headersOf(request), metadata: userMetadata(request) };
}

function headersOf({ header }: Headers): ClientHeaders {
  const given = {
    contentType: header('content-type'),
    cacheControl: header('cache-control'),
    contentDisposition: header('content-disposition'),
    contentEncoding: storedEncoding(header('content-encoding')),
    contentLanguage: header('content-language'),
    expires: header('expires'),
  };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) requireHeaderText(name, value);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}

/** What comes in a form or in the query may be what no header can be. @throws InvalidArgument */
export function requireHeaderText(name: string, value: string): void {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
    throw new S3Refusal('InvalidArgument', {
      message: `${name} has characters that no header can have.`,
      details: { ArgumentName: name },
    });
}

/** `aws-chunked` is about the way, not about the file. */
function storedEncoding(header: string | undefined): string | undefined {
  const encodings = (header ?? '').split(',').map((encoding) => encoding.trim());
  return (
    encodings.filter((encoding) => encoding !== '' && encoding.toLowerCase() !== 'aws-chunked').join(', ') || undefined
  );
}

/** @throws MetadataTooLarge, InvalidArgument when a value could not be handed back as a header */
function userMetadata(request: Headers): Record<string, string> {
  // A Map, as a plain object would lose the name __proto__.
  const metadata = new Map<string, string>();
  let sizeBytes = 0;
  for (const name of request.headerNames(metaStart)) {
    const value = (request.header(name) ?? '').trim();
    requireHeaderText(name, value);
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw new S3Refusal('InvalidArgument', {
        message: 'The name of user metadata must be that of a header.',
        details: { ArgumentName: name },
      });
    metadata.set(name.slice(metaStart.length), value);
    sizeBytes += Buffer.byteLength(name) - metaStart.length + Buffer.byteLength(value);
  }
  if (sizeBytes > maxS3MetadataBytes)
    throw new S3Refusal('MetadataTooLarge', {
      details: { Size: String(sizeBytes), MaxSizeAllowed: String(maxS3MetadataBytes) },
    });
  return Object.fromEntries(metadata);
}

/** What this server does not have, and must not seem to have done. No tags may be set. */
const unknownHere = [
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-object-lock-mode',
  'x-amz-object-lock-retain-until-date',
  'x-amz-object-lock-legal-hold',
  'x-amz-write-offset-bytes',
];

/**
 * Refuses wishes that cannot be granted: encryption, tags, locks, another storage class, an ACL that says something
 * else than the bucket.
 *
 * @throws NotImplemented, InvalidStorageClass, AccessControlListNotSupported, InvalidArgument
 */
export function refuseUnknownWishes({ header, headerNames }: Headers, space: Space, accountId: string): void {
  const encryption = headerNames('x-amz-server-side-encryption');
  const unknown = [...encryption, ...unknownHere.filter((name) => header(name) !== undefined)].filter(
    (name) => name !== 'x-amz-tagging' || header(name) !== '',
  );
  if (unknown.length > 0) throw headerNotHere(unknown[0]!);
  const storageClass = header('x-amz-storage-class');
  if (storageClass !== undefined && storageClass !== 'STANDARD')
    throw new S3Refusal('InvalidStorageClass', { details: { StorageClassRequested: storageClass } });
  requireAgreeingHeaders({ header, headerNames }, space, accountId);
}

/** `If-None-Match` and `If-Match` of a write. */
export function writeConditions({ header }: Headers): WriteConditions {
  return { ifNoneMatch: etagList(header('if-none-match')), ifMatch: etagList(header('if-match')) };
}

/** The ETags of a list, without quotes. */
export function etagList(header: string | undefined): string[] | undefined {
  return header?.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
}
