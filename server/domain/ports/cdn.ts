/** The CDN in front of the public host. */
export interface Cdn {
  /**
   * Purges these public URLs. Resolves when the CDN has confirmed it. Does nothing without a CDN.
   *
   * @param changeId the change that hid the files. What the store has noted to purge for it is done then
   * @throws {CdnUnavailable}
   */
  purge(urls: readonly string[], changeId: string): Promise<void>;
}

/** The CDN did not confirm a purge. The files may still be public. */
export class CdnUnavailable extends Error {
  override readonly name = 'CdnUnavailable';
}
