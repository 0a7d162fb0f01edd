import type { ChunkedUpload, NewPart, StoredPart, UploadOutcome, UploadPart } from './chunked-upload.ts';

/** What is settled when an upload is started. */
export type NewChunkedUpload = Pick<
  ChunkedUpload,
  'id' | 'accountId' | 'tokenId' | 'plan' | 'declaredBytes' | 'listed' | 'originalName' | 'startedAt'
>;

/** What an upload has come to. */
export interface Completion {
  /** Its blobs are those of the parts that were used. */
  readonly contentId: string;
  readonly outcome: UploadOutcome;
}

export interface ChunkedUploadsReader {
  /** Closed and idle ones are found too: whoever asks decides what that means. */
  find(uploadId: string): Promise<ChunkedUpload | undefined>;
  /** Up to `limit` of the stored parts whose numbers are above `after`, by number. */
  partsOf(uploadId: string, after: number, limit: number): Promise<StoredPart[]>;
  /** One of them, with its bytes where its row holds them. */
  part(uploadId: string, part: number): Promise<UploadPart | undefined>;
  /** The open ones of an account that were active after `idleBefore`, the first that was started at first. */
  openOf(accountId: string, idleBefore: number): Promise<ChunkedUpload[]>;
  /** Open ones of all accounts that have not been active after `idleBefore`. */
  idle(idleBefore: number, limit: number): Promise<string[]>;
  /** Closed ones of all accounts of which {@link ChunkedUploadsTable.clearClosed} has left some parts. */
  withPartsLeft(limit: number): Promise<string[]>;
}

export interface ChunkedUploadsTable extends ChunkedUploadsReader {
  /**
   * Opens it; answers false, and changes nothing, when `maxOpen` of the account are open already. Those that have not
   * been active after `idleBefore` do not count.
   */
  open(upload: NewChunkedUpload, maxOpen: number, idleBefore: number): Promise<boolean>;
  /**
   * Stores a part, in place of one of the same number, whose blob is doomed, and answers its sequence; answers
   * undefined, and changes nothing, when all parts together would pass `maxBytes`.
   */
  putPart(uploadId: string, part: NewPart, at: number, maxBytes: number): Promise<number | undefined>;
  /** Counts as active at `at`, if it is still open. */
  keepOpen(uploadId: string, at: number): Promise<void>;
  /** Closes it; {@link clearClosed} for what becomes of its parts. */
  complete(uploadId: string, completion: Completion, at: number): Promise<void>;
  /** Closes it; {@link clearClosed} for what becomes of its parts. */
  abort(uploadId: string, at: number): Promise<void>;
  /**
   * Removes up to `limit` of the parts of a closed upload, dooms the blobs of those that its content does not have, and
   * answers whether there are more. Closing does so too, to the few parts that most uploads have; for thousands others
   * would wait.
   */
  clearClosed(uploadId: string, limit: number): Promise<boolean>;
  /**
   * Removes up to `limit` that were closed before or at `closedBefore` and have no parts left, and answers how many.
   */
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
