// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * A callback of the page that cannot decide how an upload ends: what it throws is reported as the platform reports what
 * nobody caught, and the upload goes on.
 */
export declare function guarded<A extends readonly unknown[]>(callback: ((...args: A) => void) | undefined): (...args: A) => void;
