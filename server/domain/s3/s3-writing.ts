import { isCacheControl } from '../cache-control.ts';
import type { StoredObject } from '../objects/object.ts';
import { splitMetadata, type S3Headers, type S3Properties, type StoredChecksum } from './s3-properties.ts';

/** What an S3 client sets on a file that it writes. */
export interface S3Writing {
  readonly headers: S3Headers;
  /** User metadata, names without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The part of a file's row that follows from what its client set. What REST has a field for is shown there too. */
export function writtenRow(
  { headers, metadata }: S3Writing,
  checksum: StoredChecksum | undefined,
): Pick<StoredObject, 'cacheControl' | 'disposition' | 'metadata' | 's3'> {
  const split = splitMetadata(metadata);
  const s3: S3Properties = {
    ...headers,
    ...(Object.keys(split.rest).length > 0 && { metadata: split.rest }),
    ...(checksum && { checksum }),
  };
  return {
    cacheControl: restCacheControl(headers.cacheControl),
    disposition: restDisposition(headers.contentDisposition),
    metadata: split.metadata,
    s3,
  };
}

/**
 * Translates `public, max-age=60` to REST's `max-age=60`. A header that REST cannot express is served by S3 alone. `no-cache` is left
 * out, because REST allows it on one plan only.
 */
function restCacheControl(header: string | undefined): string | null {
  const directives = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  const [age, ...others] = directives.filter((directive) => !['', 'public', 'immutable'].includes(directive));
  if (others.length > 0) return null;
  // A shorter age beside `immutable` is what the writer asked for: REST's `immutable` means a year.
  const isForGood = directives.includes('immutable') && (age === undefined || age === 'max-age=31536000');
  const value = isForGood ? 'immutable' : (age ?? '');
  return value !== 'no-cache' && isCacheControl(value) ? value : null;
}

function restDisposition(header: string | undefined): StoredObject['disposition'] {
  const type = /^\s*(inline|attachment)\s*(;|$)/i.exec(header ?? '')?.[1]?.toLowerCase();
  return type === 'inline' || type === 'attachment' ? type : null;
}

/** All user metadata of a file as S3 shows it, whoever has set it. */
export function s3Metadata({ metadata, s3 }: Pick<StoredObject, 'metadata' | 's3'>): Readonly<Record<string, string>> {
  return { ...s3?.metadata, ...metadata };
}
