/**
 * The position up to which an access log has been read for an application. A log is recognised by its contents, not by
 * its name. A renamed, copied or compressed log is the same log. A truncated one is another.
 */
export interface NewLogCheckpoint {
  readonly appId: string;
  /** The path at which it was last read. */
  readonly path: string;
  /** Device and inode, as text. */
  readonly inode: string;
  /** Bytes that have been read, of the uncompressed log. */
  readonly offset: number;
  /** The number of lines in those bytes. */
  readonly lines: number;
  /** SHA-256 of the first {@link fingerprintBytes} of those bytes, or of all when they are fewer. */
  readonly headSha256: string;
  /** SHA-256 of the last {@link fingerprintBytes} of those bytes, or of all when they are fewer. */
  readonly tailSha256: string;
  /** When it last moved. */
  readonly movedAt: number;
}

export interface LogCheckpoint extends NewLogCheckpoint {
  readonly id: number;
}

/** A log is identified by this many bytes of its beginning and this many of those last read. */
export const fingerprintBytes = 4096;
