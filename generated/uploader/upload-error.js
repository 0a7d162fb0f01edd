// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** The only error that an upload rejects with. */
export class UploadError extends Error {
    name = 'UploadError';
    code;
    status;
    /** Whether the same upload may succeed later. */
    retryable;
    retryAfterMs;
    constructor({ code, message, status, retryable, retryAfterMs, cause }) {
        super(message, { cause });
        this.code = code;
        this.status = status;
        this.retryable = retryable;
        this.retryAfterMs = retryAfterMs;
    }
}
/** Makes the error that `done` rejects with after `cancel()`. */
export function cancelled() {
    return new UploadError({ code: 'UPLOAD_CANCELLED', message: 'The upload was cancelled.', retryable: false });
}
/** Makes the error of a file that can no longer be read. */
export function unreadable(cause) {
    const message = 'The file cannot be read. It may have been changed, moved or removed. Choose it again.';
    return new UploadError({ code: 'FILE_UNREADABLE', message, retryable: false, cause });
}
