import { UploadError, unreadable } from './upload-error.ts';

/**
 * Returns the SHA-256 of a piece of a file as 64 hexadecimal digits. Returns `undefined` without WebCrypto, which
 * browsers offer only on https and localhost.
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
 * Distinguishes an unreadable file from a broken connection. Browsers report both with the same error.
 *
 * @param failure the error that sending the piece threw
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
