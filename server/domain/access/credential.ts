import { crc32 } from 'node:zlib';

import { credentialPrefixes } from '../credential-prefixes.ts';
import type { Ids } from '../ports/ids.ts';

export type CredentialKind = keyof typeof credentialPrefixes;

const secretLength = 40;
const checksumLength = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a CRC-32 in base 62: six characters, so that a typo is rejected without a look-up. */
function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let place = 0; place < checksumLength; place++) {
    out = digits[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Makes a new secret: the prefix of its kind, 40 random characters (238 bits) and their checksum. */
export function newCredential(kind: CredentialKind, ids: Ids): string {
  const text = credentialPrefixes[kind] + ids.secretText(secretLength);
  return text + checksum(text);
}

/** Returns the kind of a credential. Returns undefined for a text of another form, or with a wrong checksum. */
export function credentialKind(text: string): CredentialKind | undefined {
  for (const [kind, prefix] of Object.entries(credentialPrefixes)) {
    if (!text.startsWith(prefix)) continue;
    if (text.length !== prefix.length + secretLength + checksumLength) return undefined;
    const body = text.slice(0, -checksumLength);
    return /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) && text === body + checksum(body)
      ? (kind as CredentialKind)
      : undefined;
  }
  return undefined;
}

/**
 * Whether a text could be an imported key: 16 to 256 printable ASCII characters without blanks and without the prefix
 * of another credential.
 */
export function mayBeLegacyKey(text: string): boolean {
  return (
    /^[\x21-\x7e]{16,256}$/.test(text) && !Object.values(credentialPrefixes).some((prefix) => text.startsWith(prefix))
  );
}

/**
 * Returns the credential in an `Authorization` header, without `Bearer `, which clients may leave out. The header is
 * read in doors/contract/authenticate-operation.ts.
 */
export function credentialOf(authorization: string | undefined): string | undefined {
  const text = authorization?.trim().replace(/^Bearer +/i, '');
  return text ? text : undefined;
}
