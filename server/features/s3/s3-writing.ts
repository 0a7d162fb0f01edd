import { isCacheControl } from '#server/domain/cache-control.ts';
import type { Checksum } from '#server/domain/checksums/algorithms.ts';
import { isMetadata } from '#server/domain/object-metadata.ts';
import type { ClientHeaders, ClientProperties, StoredObject } from '#server/features/files/object.ts';

/** The headers and metadata that an S3 client sets on a file. */
export interface S3Writing {
  readonly headers: ClientHeaders;
  /** User metadata, names without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** User metadata in two parts: the part that REST shows as the file's metadata, and the rest. */
interface SplitMetadata {
  readonly metadata: Readonly<Record<string, string>>;
  readonly rest: Readonly<Record<string, string>>;
}

/**
 * Splits metadata into the entries that fit the form and limits of REST's metadata, and the rest. It takes the names in
 * order, so the same metadata always splits alike.
 */
export function splitMetadata(all: Readonly<Record<string, string>>): SplitMetadata {
  let metadata: Record<string, string> = {};
  // A Map, because a plain object would lose the name __proto__.
  const rest = new Map<string, string>();
  for (const [name, value] of Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const more = { ...metadata, [name]: value };
    if (isMetadata(more)) metadata = more;
    else rest.set(name, value);
  }
  return { metadata, rest: Object.fromEntries(rest) };
}

/**
 * Returns the columns of a file's row that follow from its headers and metadata. REST shows those that it has a field
 * for.
 */
export function writtenRow(
  { headers, metadata }: S3Writing,
  checksum: Checksum | undefined,
): Pick<StoredObject, 'cacheControl' | 'disposition' | 'metadata' | 'clientProperties'> {
  const split = splitMetadata(metadata);
  const clientProperties: ClientProperties = {
    ...headers,
    ...(Object.keys(split.rest).length > 0 && { metadata: split.rest }),
    ...(checksum && { checksum }),
  };
  return {
    cacheControl: restCacheControl(headers.cacheControl),
    disposition: restDisposition(headers.contentDisposition),
    metadata: split.metadata,
    clientProperties,
  };
}

/**
 * Translates `public, max-age=60` to REST's `max-age=60`. Returns null for a header that REST cannot express: only S3
 * serves it. `no-cache` is one of them, because REST allows it on one plan only.
 */
function restCacheControl(header: string | undefined): string | null {
  const directives = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  const [age, ...others] = directives.filter((directive) => !['', 'public', 'immutable'].includes(directive));
  if (others.length > 0) return null;
  // A shorter age beside `immutable` wins: REST's `immutable` means a year.
  const isForGood = directives.includes('immutable') && (age === undefined || age === 'max-age=31536000');
  const value = isForGood ? 'immutable' : (age ?? '');
  return value !== 'no-cache' && isCacheControl(value) ? value : null;
}

function restDisposition(header: string | undefined): StoredObject['disposition'] {
  const type = /^\s*(inline|attachment)\s*(;|$)/i.exec(header ?? '')?.[1]?.toLowerCase();
  return type === 'inline' || type === 'attachment' ? type : null;
}

/** Returns all user metadata of a file as S3 shows it, whichever door has set it. */
export function s3Metadata({
  metadata,
  clientProperties,
}: Pick<StoredObject, 'metadata' | 'clientProperties'>): Readonly<Record<string, string>> {
  return { ...clientProperties?.metadata, ...metadata };
}
