import type { PartNumber } from './part-number.ts';
import type { ChunkedUpload, NewPart, StoredPart, UploadOutcome, UploadPart } from './chunked-upload.ts';

/** An upload as it is started. */
export type NewChunkedUpload = Pick<
  ChunkedUpload,
  | 'id'
  | 'accountId'
  | 'tokenId'
  | 'resolved'
  | 'declaredBytes'
  | 'listed'
  | 'serial'
  | 'sentTo'
  | 'originalName'
  | 'startedAt'
>;

/** The result of an upload. */
interface Completion {
  /** The content of the file. Its blobs are those of the parts that were used. */
  readonly contentId: string;
  readonly outcome: UploadOutcome;
}

interface UploadPartsReader {
  /** Returns up to `limit` stored parts with numbers above `after`, ordered by number. */
  partsOf(uploadId: string, after: number, limit: number): Promise<StoredPart[]>;
  /** Returns one part, with its bytes if its row contains them. */
  part(uploadId: string, part: PartNumber): Promise<UploadPart | undefined>;
}

/** The parts of uploads. */
export interface UploadPartsTable extends UploadPartsReader {
  /**
   * Stores a part in place of an earlier one with its number, marks the earlier blob for deletion and returns the
   * part's sequence. Returns undefined and changes nothing if all parts together would exceed `maxBytes`.
   */
  putPart(uploadId: string, part: NewPart, at: number, maxBytes: number): Promise<number | undefined>;
  /**
   * Removes the parts of a range, marks their blobs for deletion, and stores `part` in their place if it is given.
   * Returns the upload's new revision, which is the part's sequence.
   */
  replaceParts(uploadId: string, range: PartRange, part: NewPart | undefined, at: number): Promise<number>;
  /** Marks the parts up to number `last` as cut by the server. */
  markCut(uploadId: string, last: number): Promise<void>;
  /** Moves all parts of one upload behind the last one of another, which has `shift` parts. */
  takeParts(fromUploadId: string, toUploadId: string, shift: number): Promise<void>;
  /**
   * Removes up to `limit` parts of a closed upload, and marks for deletion the blobs that its content does not use.
   * Returns whether parts are left. Closing an upload removes only a few hundred parts at once, because thousands would
   * delay other requests.
   */
  clearClosed(uploadId: string, limit: number): Promise<boolean>;
}

/** Numbers of parts, both included. */
interface PartRange {
  readonly first: number;
  readonly last: number;
}

export interface ChunkedUploadsReader extends UploadPartsReader {
  /** Finds an upload, even a closed or idle one. The caller checks its state. */
  find(uploadId: string): Promise<ChunkedUpload | undefined>;
  /**
   * Returns the open uploads of an account that were active after `idleBefore`, oldest first. Those that others send to
   * its file requests are among them.
   */
  openOf(accountId: string, idleBefore: number): Promise<ChunkedUpload[]>;
  /** Returns the ids of up to `limit` open uploads of all accounts that were not active after `idleBefore`. */
  idle(idleBefore: number, limit: number): Promise<string[]>;
  /** Returns the ids of up to `limit` closed uploads of all accounts that still have parts, for `clearClosed`. */
  withPartsLeft(limit: number): Promise<string[]>;
}

export interface ChunkedUploadsTable extends ChunkedUploadsReader, UploadPartsTable {
  /**
   * Opens an upload. Returns false and changes nothing if `maxOpen` of the account are open. Listed uploads
   * and others count among themselves. Uploads that were not active after `idleBefore` do not count, nor do those that
   * others send.
   */
  open(upload: NewChunkedUpload, maxOpen: number, idleBefore: number): Promise<boolean>;
  /**
   * Returns the open listed upload of an account that has been idle longest, if it was not active after `idleBefore`.
   */
  longestIdle(accountId: string, idleBefore: number): Promise<ChunkedUpload | undefined>;
  /** Opens an upload of a file that somebody without an account sends. The caller checks the limits. */
  openSent(upload: NewChunkedUpload): Promise<void>;
  /** Lets only the named writer append to an upload. Null lets none. */
  setWriter(uploadId: string, writer: string | null): Promise<void>;
  /** Sets the size of the whole file, which was not known at the start. */
  declareSize(uploadId: string, sizeBytes: number): Promise<void>;
  /** Marks an upload active at `at` if it is still open. */
  keepOpen(uploadId: string, at: number): Promise<void>;
  /** Closes an upload with its result. Its parts are removed as in {@link clearClosed}. */
  complete(uploadId: string, completion: Completion, at: number): Promise<void>;
  /** Closes an upload without a file. Its parts are removed as in {@link clearClosed}. */
  abort(uploadId: string, at: number): Promise<void>;
  /** Removes up to `limit` uploads that were closed by `closedBefore` and have no parts. Returns how many. */
  forgetClosed(closedBefore: number, limit: number): Promise<number>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly chunkedUploads: ChunkedUploadsReader;
  }
  interface Tables {
    readonly chunkedUploads: ChunkedUploadsTable;
  }
}
