// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Returns whether this failure proves that the server did not receive the whole request. */
export declare function isCertainlyUnsent(failure: unknown): boolean;
