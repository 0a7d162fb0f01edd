// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Waits. Throws the signal's reason as soon as it is aborted.
 *
 * @param wake ends the wait early when aborted
 */
export declare function sleep(ms: number, signal: AbortSignal, wake?: AbortSignal): Promise<void>;
