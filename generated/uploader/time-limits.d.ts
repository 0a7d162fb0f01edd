// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Waits for a promise, but not beyond the signal: its reason is thrown then, whatever becomes of the promise. */
export declare function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T>;
/**
 * Runs a request that has to be answered within a time.
 *
 * @throws {UploadError} NETWORK_ERROR when it is not, or the signal's reason
 */
export declare function within<T>(ms: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
/** Runs something that is to come to its end even when it is no longer wanted, but only for so long after that. */
export declare function lingering<T>(ms: number, signal: AbortSignal, run: (late: AbortSignal) => Promise<T>): Promise<T>;
