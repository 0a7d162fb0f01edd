import { isMetadata } from '#server/domain/object-metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { got } from '#server/domain/error-value.ts';
import { parseOrigin } from './origin.ts';
import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import { readExpire, readPrefix } from '#server/domain/file-options.ts';

/** Options pinned by one upload token, in bytes as JSON. */
export const maxPinnedBytes = 2048;

/** The options to pin as they were sent, in the form of the contract. `undefined` for options that were left out. */
export interface GivenPins {
  readonly name: string | undefined;
  /** With or without a trailing slash. Empty means none. */
  readonly prefix: string | undefined;
  readonly isPrivate: boolean | undefined;
  readonly securityHash: boolean | undefined;
  /** A duration, or whole days. Null keeps the files for good. */
  readonly expire: string | number | null | undefined;
  readonly maxSizeBytes: number | undefined;
  readonly allowedExtensions: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly callbackMetadata: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Parses the options of a token, and makes the checks that a schema cannot. It needs no stored data.
 *
 * @param jsonBytes the size of the options as JSON
 * @throws INVALID_OBJECT_SECURITY_HASH, INVALID_OBJECT_PREFIX, INVALID_OBJECT_EXPIRE, INVALID_ALLOWED_ORIGINS,
 *   INVALID_OBJECT_METADATA, INVALID_CALLBACK_METADATA, UPLOAD_TOKEN_TOO_LARGE
 */
export function parsePins(given: GivenPins, jsonBytes: number): PinnedOptions {
  const { name, isPrivate, securityHash, maxSizeBytes, metadata, callbackMetadata } = given;
  if (securityHash !== undefined) requireHashable(name, isPrivate, securityHash);
  const prefix = readPrefix(given.prefix);
  const expire = readExpire(given.expire);
  const allowedOrigins = parseOrigins(given.allowedOrigins);
  if (metadata !== undefined && !isMetadata(metadata)) throw new Refusal('INVALID_OBJECT_METADATA');
  if (callbackMetadata !== undefined && !isMetadata(callbackMetadata)) throw new Refusal('INVALID_CALLBACK_METADATA');
  if (jsonBytes > maxPinnedBytes) throw new Refusal('UPLOAD_TOKEN_TOO_LARGE', { detail: `Got ${jsonBytes} bytes.` });
  return {
    ...(name !== undefined && { name }),
    ...(prefix !== undefined && { prefix }),
    ...(isPrivate !== undefined && { isPrivate }),
    ...(securityHash !== undefined && { securityHash }),
    ...(expire !== undefined && { expire }),
    ...(maxSizeBytes !== undefined && { maxSizeBytes }),
    ...(given.allowedExtensions && { allowedExtensions: [...new Set(given.allowedExtensions)] }),
    ...(allowedOrigins && { allowedOrigins }),
    ...(metadata !== undefined && { metadata }),
    ...(callbackMetadata !== undefined && { callbackMetadata }),
  };
}

function requireHashable(name: string | undefined, isPrivate: boolean | undefined, securityHash: boolean): void {
  if (name === undefined && !securityHash) {
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH', {
      message: 'security_hash: false goes only beside name: names that a browser chooses always get the hash.',
    });
  }
  if (isPrivate && !securityHash) throw new Refusal('INVALID_OBJECT_SECURITY_HASH');
}

function parseOrigins(given: readonly string[] | undefined): string[] | undefined {
  const origins = given?.map((text) => {
    const origin = parseOrigin(text);
    if (origin === undefined) throw new Refusal('INVALID_ALLOWED_ORIGINS', { detail: got(text) });
    return origin;
  });
  return origins && [...new Set(origins)];
}
