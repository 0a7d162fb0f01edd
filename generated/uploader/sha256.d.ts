// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * SHA-256 of a piece of a file as 64 hexadecimal digits. `undefined` where there is no WebCrypto: browsers have it on
 * pages from https and localhost only.
 *
 * @throws {UploadError} FILE_UNREADABLE
 */
export declare function sha256(piece: Blob): Promise<string | undefined>;
/**
 * Tells a file that vanished from a connection that did, which a browser does not.
 *
 * @param failure what sending the piece failed with
 * @throws {UploadError} FILE_UNREADABLE
 */
export declare function assertReadable(piece: Blob, failure: unknown): Promise<void>;
