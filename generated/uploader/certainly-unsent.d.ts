// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Whether the server cannot have had the whole request, going by why there is no answer. */
export declare function isCertainlyUnsent(failure: unknown): boolean;
