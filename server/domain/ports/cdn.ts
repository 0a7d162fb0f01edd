/** The CDN in front of the public host. */
export interface Cdn {
  /**
   * Drops what it holds of these public URLs; resolves once it has agreed to. Without a CDN there is nothing to drop.
   */
  purge(urls: readonly string[]): Promise<void>;
  /** Sees to it that the CDN drops these soon; nobody waits for it. */
  purgeLater(urls: readonly string[]): void;
}

/** The CDN did not agree to drop the files; they may still be public. */
export class CdnUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CdnUnavailable';
  }
}
