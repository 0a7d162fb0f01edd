import type { PartNumber } from './part-number.ts';
import type { ChunkedUpload, NewPart, StoredPart, UploadOutcome, UploadPart } from './chunked-upload.ts';

/** An upload as it is started. */
export type NewChunkedUpload = Pick<
  ChunkedUpload,
  'id' | 'accountId' | 'tokenId' | 'plan' | 'declaredBytes' | 'listed' | 'originalName' | 'startedAt'
>;

/** The result of an upload. */
export interface Completion {
  /** The content of the file. Its blobs are those of the parts that were used. */
  readonly contentId: string;
  readonly outcome: UploadOutcome;
}

export interface ChunkedUploadsReader {
  /** Finds closed and idle uploads too. The caller decides what that means. */
  find(uploadId: string): Promise<ChunkedUpload | undefined>;
  /** Up to `limit` stored parts with numbers above `after`, by number. */
  partsOf(uploadId: string, after: number, limit: number): Promise<StoredPart[]>;
  /** One part, with its bytes if its row holds them. */
  part(uploadId: string, part: PartNumber): Promise<UploadPart | undefined>;
  /** The open uploads of an account that were active after `idleBefore`, oldest first. */
  openOf(accountId: string, idleBefore: number): Promise<ChunkedUpload[]>;
  /** Open uploads of all accounts that were not active after `idleBefore`. */
  idle(idleBefore: number, limit: number): Promise<string[]>;
  /** Closed uploads of all accounts that still have parts. See {@link ChunkedUploadsTable.clearClosed}. */
  withPartsLeft(limit: number): Promise<string[]>;
}

export interface ChunkedUploadsTable extends ChunkedUploadsReader {
  /**
   * Opens an upload. Returns false and changes nothing if `maxOpen` of the account are open. Uploads that were not
   * active after `idleBefore` do not count.
   */
  open(upload: NewChunkedUpload, maxOpen: number, idleBefore: number): Promise<boolean>;
  /**
   * Stores a part in place of an earlier one of its number, dooms the earlier blob, and returns the part's sequence.
   * Returns undefined and changes nothing if all parts together would pass `maxBytes`.
   */
  putPart(uploadId: string, part: NewPart, at: number, maxBytes: number): Promise<number | undefined>;
  /** Marks an upload active at `at` if it is still open. */
  keepOpen(uploadId: string, at: number): Promise<void>;
  /** Closes an upload with its result. {@link clearClosed} tells what becomes of the parts. */
  complete(uploadId: string, completion: Completion, at: number): Promise<void>;
  /** Closes an upload without a file. {@link clearClosed} tells what becomes of the parts. */
  abort(uploadId: string, at: number): Promise<void>;
  /**
   * Removes up to `limit` parts of a closed upload, dooms the blobs that its content does not use, and returns whether
   * parts are left. Closing an upload removes its parts at once if they are few; thousands would make others wait.
   */
  clearClosed(uploadId: string, limit: number): Promise<boolean>;
  /** Removes up to `limit` uploads that were closed by `closedBefore` and have no parts. Returns how many. */
  forgetClosed(closedBefore: number, limit: number): Promise<number>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly chunkedUploads: ChunkedUploadsReader;
  }
  interface Tables {
    readonly chunkedUploads: ChunkedUploadsTable;
  }
}
