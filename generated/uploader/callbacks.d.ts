// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Wraps a callback of the page so that it cannot affect the upload. An error that it throws is reported like an
 * uncaught error.
 */
export declare function guarded<A extends readonly unknown[]>(callback: ((...args: A) => void) | undefined): (...args: A) => void;
