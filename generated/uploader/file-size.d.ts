// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Refuses what the server would refuse, before anything is sent.
 *
 * @throws {UploadError} FILE_TOO_SMALL, FILE_TOO_LARGE
 */
export declare function assertSize({ size }: Blob): void;
