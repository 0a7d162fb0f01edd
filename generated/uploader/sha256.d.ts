// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Returns the SHA-256 of a piece of a file as 64 hexadecimal digits. Returns `undefined` without WebCrypto, which
 * browsers offer only on https and localhost.
 *
 * @throws {UploadError} FILE_UNREADABLE
 */
export declare function sha256(piece: Blob): Promise<string | undefined>;
/**
 * Distinguishes an unreadable file from a broken connection. Browsers report both with the same error.
 *
 * @param failure the error that sending the piece threw
 * @throws {UploadError} FILE_UNREADABLE
 */
export declare function assertReadable(piece: Blob, failure: unknown): Promise<void>;
