/** A body whose bytes are stored as they arrive. */
export interface IncomingBytes {
  /** Exact. Undefined if no header announces the length. */
  readonly announcedBytes: number | undefined;
  /** A chunk is valid until the next one is requested. */
  readonly bytes: AsyncIterable<Uint8Array>;
}
