import type { PartChecksum } from '../checksums/algorithms.ts';

/** A stretch of bytes of a content: under a blob id, or inline in the row if it is small. */
export interface BlobReference {
  readonly blobId: string;
  readonly sizeBytes: number;
  /** As the row keeps them, which may be encrypted. `readContent()` gives the bytes themselves. */
  readonly inline: Uint8Array | null;
  /** Set for a part that was sent with a checksum. A copy of the file may name another algorithm. */
  readonly checksum?: PartChecksum;
}

/** The bytes that object rows point to: an ordered list of blobs, shared by copies. */
export interface Content {
  readonly id: string;
  readonly sizeBytes: number;
  readonly blobs: readonly BlobReference[];
}

/** A content that no row names yet. */
export interface NewContent extends Content {
  /** CRC-32 of all bytes, for archives. */
  readonly crc32: number;
}

/** A blob whose bytes have just been received, or that is a part of an upload. */
export interface ReceivedBlob extends BlobReference {
  /** CRC-32 of its bytes. */
  readonly crc32: number;
}

/** A blob of the store that a row names. */
export interface NamedBlob {
  readonly blobId: string;
  readonly sizeBytes: number;
  /** In hex; null if no row has it. */
  readonly sha256: string | null;
  /** In hex, of a part of an upload; null for other blobs. */
  readonly md5: string | null;
}

export interface ContentsReader {
  find(contentId: string): Promise<Content | undefined>;
  /**
   * Returns the blobs among these that no file, part, upload under way or mark for deletion names.
   *
   * @param blobIds at most 100
   */
  unnamed(blobIds: readonly string[]): Promise<string[]>;
  /** Returns how many blobs are marked for deletion, at most `limit`. */
  countMarked(limit: number): Promise<number>;
  /** Returns the blobs of the store behind this id that files and parts consist of, by id. */
  named(afterBlobId: string, limit: number): Promise<NamedBlob[]>;
  /** Returns the blobs behind this id that are marked for deletion, by id. */
  marked(afterBlobId: string, limit: number): Promise<string[]>;
}

export interface ContentsTable extends ContentsReader {
  /** Adds a content. One row points to it. */
  add(content: NewContent): Promise<void>;
  /** Counts one more row that points to it. */
  share(contentId: string): Promise<void>;
  /** Counts one row fewer that points to it. With the last row, marks the blobs for deletion. */
  release(contentId: string): Promise<void>;
  /**
   * Returns blobs that no row names any more and whose bytes still exist. Only a transaction offers this. At its end
   * the rows of these blobs are gone even after a power cut, so removing the bytes is safe. Returns none while a backup
   * holds the bytes.
   */
  blobsToDelete(limit: number): Promise<string[]>;
  /** Writes the bytes of a small blob anew, which are in its row. Does nothing if it is gone. */
  replaceInline(contentId: string, blobId: string, bytes: Uint8Array): Promise<void>;
  /** Removes the marks of blobs whose bytes are removed. */
  forgetDeleted(blobIds: readonly string[]): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly contents: ContentsReader;
  }
  interface Tables {
    readonly contents: ContentsTable;
  }
}
