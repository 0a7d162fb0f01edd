// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Waits for a promise, or throws the signal's reason as soon as it is aborted. The promise itself is not stopped. */
export declare function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T>;
/**
 * Runs a request with a time limit.
 *
 * @throws {UploadError} NETWORK_ERROR when the time is over, or the signal's reason
 */
export declare function within<T>(ms: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
/** Runs a task that may continue for `ms` after the signal is aborted. */
export declare function lingering<T>(ms: number, signal: AbortSignal, run: (late: AbortSignal) => Promise<T>): Promise<T>;
