// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Parses a size such as `10MB`, `500 KiB` or `1048576` into bytes. A KB is 1024 bytes, as in the service's limits.
 * Returns `undefined` for other text.
 */
export declare function parseSize(text: string): number | undefined;
