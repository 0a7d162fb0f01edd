// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** File sizes that the server accepts, in one request or in parts. */
export declare const leastBytes = 512;
export declare const mostBytes = 10737418240;
/**
 * Rejects a file that the server would reject, before any byte is sent.
 *
 * @throws {UploadError} FILE_TOO_SMALL, FILE_TOO_LARGE
 */
export declare function assertSize({ size }: Blob): void;
