import type { S3Stores } from './context.ts';
import { uriEncode } from './signature/canonical.ts';

/** Slashes stay, everything else that is not plain is percent-encoded. */
export function encodeKey(text: string): string {
  return uriEncode(text).replaceAll('%2F', '/');
}

/** The address of a file at the gateway, as answers give it. */
export function locationOf({ s3Url }: Pick<S3Stores, 's3Url'>, bucket: string, key: string): string {
  return `${s3Url}/${bucket}/${encodeKey(key)}`;
}
