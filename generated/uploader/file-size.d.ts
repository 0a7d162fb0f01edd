// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** What the server takes as a file, in one request or in parts. */
export declare const leastBytes = 512;
export declare const mostBytes = 10737418240;
/**
 * Refuses what the server would refuse, before anything is sent.
 *
 * @throws {UploadError} FILE_TOO_SMALL, FILE_TOO_LARGE
 */
export declare function assertSize({ size }: Blob): void;
