import { UploadError, unreadable } from './upload-error.ts';

/**
 * SHA-256 of a piece of a file as 64 hexadecimal digits. `undefined` where there is no WebCrypto: browsers have it on
 * pages from https and localhost only.
 *
 * @throws {UploadError} FILE_UNREADABLE
 */
export async function sha256(piece: Blob): Promise<string | undefined> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return undefined;
  const bytes = await piece.arrayBuffer().catch((error: unknown) => {
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
export async function assertReadable(piece: Blob, failure: unknown): Promise<void> {
  if (!(failure instanceof UploadError) || failure.code !== 'NETWORK_ERROR') return;
  await piece
    .slice(0, 1)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
}
