/**
 * How far an access log has been read for an application. A log is recognised by its contents, not by its name: a
 * renamed, copied or compressed log is the same log, and a truncated one is another.
 */
export interface NewLogCheckpoint {
  readonly appId: string;
  /** The path at which it was last read. */
  readonly path: string;
  /** Device and inode, as text. */
  readonly inode: string;
  /** Bytes that have been read, of the uncompressed log. */
  readonly offset: number;
  /** Lines in them. */
  readonly lines: number;
  /** SHA-256 of their first {@link fingerprintBytes}, or of all of them when they are fewer. */
  readonly headSha256: string;
  /** SHA-256 of their last {@link fingerprintBytes}, or of all of them when they are fewer. */
  readonly tailSha256: string;
  /** When it last moved. */
  readonly movedAt: number;
}

export interface LogCheckpoint extends NewLogCheckpoint {
  readonly id: number;
}

/** How many bytes of its beginning, and of those last read, identify a log. */
export const fingerprintBytes = 4096;
