import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';

/**
 * Derives a key for each use, so that a leak from one use does not weaken another (RFC 5869). Returns a key object,
 * because a hash keyed with bytes creates one each time: 17 µs of every request instead of 3.
 */
function derive(masterKey: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, 'cubby', purpose, 32)));
}

/**
 * AES-256-GCM with a random nonce (NIST SP 800-38D, section 8.2.2). Sealed texts are few, so no nonce repeats under one
 * key.
 */
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Secrets of an installation whose master key is not being rotated. @param masterKey 32 bytes or more */
export function masterSecrets(masterKey: Uint8Array): Secrets {
  const key = keySecrets(masterKey, 1);
  const only = [key];
  return { ...key, finders: () => only, signers: () => only };
}

/** Secrets that are derived from one master key, which has 32 bytes or more. */
export function keySecrets(masterKey: Uint8Array, keyNumber: number): KeySecrets {
  const credentialKey = derive(masterKey, 'credential-hash');
  const keyCache = new Map<string, KeyObject>();
  const keyOf = (use: string): KeyObject => {
    let key = keyCache.get(use);
    if (!key) keyCache.set(use, (key = derive(masterKey, use)));
    return key;
  };
  const mac = (purpose: string, text: string): Buffer =>
    createHmac('sha256', keyOf(`sign:${purpose}`))
      .update(text)
      .digest();
  return {
    keyNumber,
    credentialHash: (credential) => createHmac('sha256', credentialKey).update(credential).digest(),
    sign: (purpose, text) => mac(purpose, text).toString('base64url'),
    verify: (purpose, text, signature) => {
      // Compared as texts: base64url has several spellings of the same bytes, and only one of them was signed.
      const expected = Buffer.from(mac(purpose, text).toString('base64url'));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    seal: (purpose, text, boundTo) => {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, keyOf(`seal:${purpose}`), nonce).setAAD(Buffer.from(boundTo));
      return Buffer.concat([nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]).toString(
        'base64url',
      );
    },
    unseal: (purpose, sealed, boundTo) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const opening = createDecipheriv(cipher, keyOf(`seal:${purpose}`), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
