import type { ChunkedUpload, NewPart, UploadOutcome, UploadPart } from './chunked-upload.ts';

/** What is settled when an upload is started. */
export type NewChunkedUpload = Pick<ChunkedUpload, 'id' | 'accountId' | 'tokenId' | 'plan' | 's3' | 'originalName' | 'startedAt'>;

export interface ChunkedUploadsReader {
  /** Closed and idle ones are found too: whoever asks decides what that means. */
  find(uploadId: string): Promise<ChunkedUpload | undefined>;
  /** The stored parts by number. */
  partsOf(uploadId: string): Promise<UploadPart[]>;
  part(uploadId: string, part: number): Promise<UploadPart | undefined>;
  /** The open ones of an account that were active after `idleBefore`, the first that was started at first. */
  openOf(accountId: string, idleBefore: number): Promise<ChunkedUpload[]>;
  /** Open ones of all accounts that have not been active after `idleBefore`. */
  idle(idleBefore: number, limit: number): Promise<string[]>;
}

export interface ChunkedUploadsTable extends ChunkedUploadsReader {
  /**
   * Opens it; answers false, and changes nothing, when `maxOpen` of the account are open already. Those that have not been
   * active after `idleBefore` do not count.
   */
  open(upload: NewChunkedUpload, maxOpen: number, idleBefore: number): Promise<boolean>;
  /**
   * Stores a part, in place of one of the same number, whose blob is doomed, and answers its sequence; answers undefined, and
   * changes nothing, when all parts together would pass `maxBytes`.
   */
  putPart(uploadId: string, part: NewPart, at: number, maxBytes: number): Promise<number | undefined>;
  /** Counts as active at `at`, if it is still open. */
  keepOpen(uploadId: string, at: number): Promise<void>;
  /** Closes it. Its parts are gone, and their blobs belong to whoever called. */
  complete(uploadId: string, outcome: UploadOutcome, at: number): Promise<void>;
  /** Closes it. Its parts are gone, and their blobs are doomed. */
  abort(uploadId: string, at: number): Promise<void>;
  /** Removes up to `limit` that were closed before or at `closedBefore`, and answers how many. */
  forgetClosed(closedBefore: number, limit: number): Promise<number>;
}
