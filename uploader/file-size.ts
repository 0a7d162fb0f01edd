import { UploadError } from './upload-error.ts';

/** File sizes that the server accepts, in one request or in parts. */
export const leastBytes = 512;
export const mostBytes = 10_737_418_240;

/**
 * Rejects a file that the server would reject, before any byte is sent.
 *
 * @throws {UploadError} FILE_TOO_SMALL, FILE_TOO_LARGE
 */
export function assertSize({ size }: Blob): void {
  if (size < leastBytes)
    throw wrongSize('FILE_TOO_SMALL', 'The file is under 512 bytes, the minimum for an upload. Choose a larger file.');
  if (size > mostBytes)
    throw wrongSize(
      'FILE_TOO_LARGE',
      'The file is over 10 GiB, the maximum for an upload. Compress it or split it, then try again.',
    );
}

function wrongSize(code: 'FILE_TOO_SMALL' | 'FILE_TOO_LARGE', message: string): UploadError {
  return new UploadError({ code, message, retryable: false });
}
