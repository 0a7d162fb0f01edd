// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Bytes of a size as people write it: `10MB`, `500 KiB`, `1048576`. A KB is 1024 bytes, as in the service's limits. `undefined` for what is none. */
export declare function parseSize(text: string): number | undefined;
