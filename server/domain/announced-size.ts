/**
 * What a request says about the size of a file before its bytes arrive. It is not the request's `Content-Length`
 * (`contentLength()` of http/body-chunks.ts), which in a form includes the form around the file.
 */
export interface AnnouncedSize {
  /**
   * Exact, except for the file of a form, where it is an estimate: 2 bytes too small at most, or too large by the
   * epilogue of the form. Undefined if no header announces the length.
   */
  readonly announcedBytes: number | undefined;
  /** The least size that the file can have. Given if the announced size may be too large. */
  readonly leastBytes?: number | undefined;
}

/** Returns the least size that a file can have, as far as it is announced. */
export function leastBytesOf({ leastBytes, announcedBytes }: AnnouncedSize): number {
  return leastBytes ?? announcedBytes ?? 0;
}
