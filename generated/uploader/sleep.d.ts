// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Waits; throws the signal's reason as soon as it is aborted. */
export declare function sleep(ms: number, signal: AbortSignal): Promise<void>;
