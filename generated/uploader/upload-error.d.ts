// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { ErrorCode } from '../client/index.js';
/**
 * Why an upload failed: a code of the contract, or one of the uploader's own. `FILE_TOO_SMALL` and `FILE_TOO_LARGE` come without
 * a `status` where the uploader itself saw it, before anything was sent.
 *
 * - `NETWORK_ERROR`: no answer came, after every try.
 * - `ANSWER_LOST`: the connection broke when the file may already have been stored, and sending it again could store it twice.
 * - `UNEXPECTED_ANSWER`: whatever answered does not speak the contract, a proxy on the way for instance.
 * - `NO_CREDENTIAL`: the function that was to give a credential failed.
 * - `FILE_UNREADABLE`: the file was changed or removed, or may not be read.
 * - `UPLOAD_CANCELLED`: `cancel()` was called, or the signal was aborted.
 */
export type UploadErrorCode = ErrorCode | 'NETWORK_ERROR' | 'ANSWER_LOST' | 'UNEXPECTED_ANSWER' | 'NO_CREDENTIAL' | 'FILE_UNREADABLE' | 'UPLOAD_CANCELLED';
export interface UploadFailure {
    readonly code: UploadErrorCode;
    /** For people: what happened, and what to do next. */
    readonly message: string;
    /** HTTP status; left out when no answer came. */
    readonly status?: number | undefined;
    readonly retryable: boolean;
    /** What `Retry-After` asked for. */
    readonly retryAfterMs?: number | undefined;
    readonly cause?: unknown;
}
/** The only error that an upload fails with. */
export declare class UploadError extends Error {
    readonly name = "UploadError";
    readonly code: UploadErrorCode;
    readonly status: number | undefined;
    /** Whether the same upload may well succeed later. */
    readonly retryable: boolean;
    readonly retryAfterMs: number | undefined;
    constructor({ code, message, status, retryable, retryAfterMs, cause }: UploadFailure);
}
/** What `done` is refused with after `cancel()`. */
export declare function cancelled(): UploadError;
/** The file cannot be read (any more). */
export declare function unreadable(cause: unknown): UploadError;
