// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Formats bytes for people: `512 B`, `4.2 MB`. A KB is 1024 bytes, as in the service's limits. */
export declare function formatSize(bytes: number, locale?: string): string;
