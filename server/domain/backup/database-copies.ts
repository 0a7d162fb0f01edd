import type { NamedBlob } from '../contents/table.ts';

/** A copy of the whole database as it was at one instant, in a scratch file. */
export interface DatabaseCopy {
  readonly sizeBytes: number;
  /** Yields the bytes in pieces of `chunkBytes`; the last one may be shorter. A piece is valid until the next one. */
  pieces(chunkBytes: number): AsyncIterable<Uint8Array>;
  /** Returns the blobs behind this id that it names, by id. */
  named(afterBlobId: string, limit: number): Promise<NamedBlob[]>;
  /** Removes the file. */
  close(): Promise<void>;
}

/** Makes copies of the database while it is in use. Undefined for an engine whose own tools do that. */
export interface DatabaseCopies {
  /** Changes with each commit of another process. */
  version(): number;
  /** Copies the database into a new file of a folder. */
  take(folder: string): Promise<DatabaseCopy>;
}
