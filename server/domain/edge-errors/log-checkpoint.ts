/**
 * How far an access log has been read for an application. A log is known again by what it holds, not by its name: a
 * renamed, copied or compressed one is the same log, and one that was cut off and begun anew is another.
 */
export interface NewLogCheckpoint {
  readonly appId: string;
  /** Where it lay when it was last read. */
  readonly path: string;
  /** Device and inode, as text. */
  readonly inode: string;
  /** Bytes that have been counted, of the log before compression. */
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

/** By how much of its beginning, and of what was last read, a log is known again. */
export const fingerprintBytes = 4096;
