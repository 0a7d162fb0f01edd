import { isKey } from '#server/domain/object-id.ts';
import { maxS3KeyBytes } from '../limits.ts';
import { S3Refusal } from '../s3-refusal.ts';
import type { S3Stores } from './context.ts';
import { invalidArgument } from './errors.ts';
import { uriEncode } from '#server/signature-v4/canonical.ts';

/**
 * Checks that a key can be stored.
 *
 * @throws KeyTooLongError, InvalidArgument when it has a `.` or `..` segment or a control character
 */
export function requireKey(key: string): void {
  const sizeBytes = Buffer.byteLength(key);
  if (sizeBytes > maxS3KeyBytes)
    throw new S3Refusal('KeyTooLongError', {
      details: { Size: String(sizeBytes), MaxSizeAllowed: String(maxS3KeyBytes) },
    });
  if (!isKey(key))
    throw invalidArgument('key', 'A key can have no "." or ".." between slashes, and no control characters.');
}

/** Only slashes and characters that `uriEncode()` leaves as they are. */
const plainKey = /^[\w\-.~/]*$/;

/** Percent-encodes a key for a path. Slashes stay. */
export function encodeKey(key: string): string {
  // Most keys of a list are plain, and the test is much quicker than the encoding.
  if (plainKey.test(key)) return key;
  return uriEncode(key).replaceAll('%2F', '/');
}

/** Returns the address of a file at the gateway. */
export function locationOf({ s3Url }: Pick<S3Stores, 's3Url'>, bucket: string, key: string): string {
  return `${s3Url}/${bucket}/${encodeKey(key)}`;
}
