/** The CDN in front of the public host. */
export interface Cdn {
  /** Purges these public URLs. Resolves when the CDN has confirmed it. Does nothing without a CDN. */
  purge(urls: readonly string[]): Promise<void>;
  /** Purges these URLs soon, in the background. */
  purgeLater(urls: readonly string[]): void;
}

/** The CDN did not confirm a purge. The files may still be public. */
export class CdnUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CdnUnavailable';
  }
}
