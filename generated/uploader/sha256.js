// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError, unreadable } from './upload-error.js';
/**
 * SHA-256 of a piece of a file as 64 hexadecimal digits. `undefined` where there is no WebCrypto: browsers have it on
 * pages from https and localhost only.
 *
 * @throws {UploadError} FILE_UNREADABLE
 */
export async function sha256(piece) {
    const subtle = globalThis.crypto?.subtle;
    if (!subtle)
        return undefined;
    const bytes = await piece.arrayBuffer().catch((error) => {
        throw unreadable(error);
    });
    const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
/**
 * Tells a file that vanished from a connection that did, which a browser does not.
 *
 * @param failure what sending the piece failed with
 * @throws {UploadError} FILE_UNREADABLE
 */
export async function assertReadable(piece, failure) {
    if (!(failure instanceof UploadError) || failure.code !== 'NETWORK_ERROR')
        return;
    await piece
        .slice(0, 1)
        .arrayBuffer()
        .catch((error) => {
        throw unreadable(error);
    });
}
