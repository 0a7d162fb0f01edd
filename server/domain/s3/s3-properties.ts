import { isMetadata } from '../object-metadata.ts';

/** A checksum that S3 clients are answered when they ask for it. */
export interface StoredChecksum {
  readonly algorithm: 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256';
  readonly type: 'FULL_OBJECT' | 'COMPOSITE';
  /** Base64; a composite one ends in `-` and the number of its parts. */
  readonly value: string;
}

/** The checksum of a part of a file. */
export type PartChecksum = Pick<StoredChecksum, 'algorithm' | 'value'>;

/** The headers that S3 hands back as they were set. */
export interface S3Headers {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly expires?: string;
}

/**
 * What S3 clients set on a file. S3 answers it as it was set; the other doors derive what they serve themselves, since there
 * a browser runs what it is told to be a page.
 */
export interface S3Properties extends S3Headers {
  /** User metadata that REST's form or limits have no room for; the rest is the file's `metadata`. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly checksum?: StoredChecksum;
}

/** User metadata in two parts: what REST shows as the file's metadata, and the rest. */
export interface SplitMetadata {
  readonly metadata: Readonly<Record<string, string>>;
  readonly rest: Readonly<Record<string, string>>;
}

/** Takes into REST's metadata what fits its form and limits, in order of the names, so that the same metadata always shows alike. */
export function splitMetadata(all: Readonly<Record<string, string>>): SplitMetadata {
  let metadata: Record<string, string> = {};
  // A Map, as a plain object would lose the name __proto__.
  const rest = new Map<string, string>();
  for (const [name, value] of Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const more = { ...metadata, [name]: value };
    if (isMetadata(more)) metadata = more;
    else rest.set(name, value);
  }
  return { metadata, rest: Object.fromEntries(rest) };
}
