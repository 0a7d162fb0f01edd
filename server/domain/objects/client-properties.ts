import type { Checksum } from '../checksums/algorithms.ts';

/** Headers that are handed back as they were set. */
export interface ClientHeaders {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly expires?: string;
}

/**
 * What the client of a file has set in words of its own, beside what the file's own fields have room for. Only who asks
 * in the same words is answered with it: to others a file is served by what it is, since a browser runs what it is told
 * to be a page.
 */
export interface ClientProperties extends ClientHeaders {
  /** User metadata that does not fit the file's `metadata`. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly checksum?: Checksum;
}
