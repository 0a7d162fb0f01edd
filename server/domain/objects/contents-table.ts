import type { PartChecksum } from '../checksums/algorithms.ts';

/** A stretch of bytes of a content: under a blob id, or inline in the row when it is small. */
export interface BlobReference {
  readonly blobId: string;
  readonly sizeBytes: number;
  readonly inline: Uint8Array | null;
  /** Of a part that came with one. A copy of the file may name another algorithm. */
  readonly checksum?: PartChecksum;
}

/** The bytes that object rows point to: an ordered list of blobs, shared by copies. */
export interface Content {
  readonly id: string;
  readonly sizeBytes: number;
  readonly blobs: readonly BlobReference[];
}

export interface ContentsReader {
  find(contentId: string): Promise<Content | undefined>;
}

export interface ContentsTable extends ContentsReader {
  /** Adds a content that one row points to. */
  add(content: Content): Promise<void>;
  /** One row more points to it. */
  share(contentId: string): Promise<void>;
  /** One row less points to it; with the last one its blobs are doomed. */
  release(contentId: string): Promise<void>;
  /**
   * Blobs that no row names any more and whose bytes are still to be removed. Only a transaction answers this: by its
   * end the rows of these blobs are gone for good, also after a power cut, as bytes are once they are removed.
   */
  doomedBlobs(limit: number): Promise<string[]>;
  /** The bytes of these blobs are gone. */
  forgetDoomed(blobIds: readonly string[]): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly contents: ContentsReader;
  }
  interface Tables {
    readonly contents: ContentsTable;
  }
}
