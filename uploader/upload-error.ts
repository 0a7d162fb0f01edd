import type { ErrorCode } from '#dist/modules/client/index.js';

/**
 * The reason why an upload failed: a code of the contract, or one of the uploader's own. `FILE_TOO_SMALL` and
 * `FILE_TOO_LARGE` have no `status` when the uploader itself found it before sending.
 *
 * - `NETWORK_ERROR`: no attempt got a response.
 * - `ANSWER_LOST`: the connection broke when the file may already be stored. Sending it again could store it twice.
 * - `UNEXPECTED_ANSWER`: the response does not follow the contract. It may come from a proxy.
 * - `NO_CREDENTIAL`: the function that provides the credential failed.
 * - `FILE_UNREADABLE`: the file was changed or removed, or may not be read.
 * - `UPLOAD_CANCELLED`: `cancel()` was called, or the signal was aborted.
 */
export type UploadErrorCode =
  | ErrorCode
  | 'NETWORK_ERROR'
  | 'ANSWER_LOST'
  | 'UNEXPECTED_ANSWER'
  | 'NO_CREDENTIAL'
  | 'FILE_UNREADABLE'
  | 'UPLOAD_CANCELLED';

export interface UploadFailure {
  readonly code: UploadErrorCode;
  /** For people: what happened, and what to do next. */
  readonly message: string;
  /** HTTP status. Undefined when no response came. */
  readonly status?: number | undefined;
  readonly retryable: boolean;
  /** The wait of `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The only error that an upload rejects with. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly code: UploadErrorCode;
  readonly status: number | undefined;
  /** Whether the same upload may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor({ code, message, status, retryable, retryAfterMs, cause }: UploadFailure) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Makes the error that `done` rejects with after `cancel()`. */
export function cancelled(): UploadError {
  return new UploadError({ code: 'UPLOAD_CANCELLED', message: 'The upload was cancelled.', retryable: false });
}

/** Makes the error of a file that can no longer be read. */
export function unreadable(cause: unknown): UploadError {
  const message = 'The file cannot be read. It may have been changed, moved or removed. Choose it again.';
  return new UploadError({ code: 'FILE_UNREADABLE', message, retryable: false, cause });
}
