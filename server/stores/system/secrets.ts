import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';

import type { Secrets } from '#server/domain/ports/secrets.ts';

/**
 * A key of its own for each use, so that what one use gives away helps with no other (RFC 5869). As a key object, because
 * a hash keyed with bytes makes one each time: 17 µs of every request instead of 3.
 */
function derive(masterKey: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, 'cubby', purpose, 32)));
}

/** Secrets that hang on the master key, 32 bytes or more. */
export function masterSecrets(masterKey: Uint8Array): Secrets {
  const credentialKey = derive(masterKey, 'credential-hash');
  const signingKeys = new Map<string, KeyObject>();
  const mac = (purpose: string, text: string): Buffer => {
    let key = signingKeys.get(purpose);
    if (!key) signingKeys.set(purpose, (key = derive(masterKey, `sign:${purpose}`)));
    return createHmac('sha256', key).update(text).digest();
  };
  return {
    credentialHash: (credential) => createHmac('sha256', credentialKey).update(credential).digest(),
    sign: (purpose, text) => mac(purpose, text).toString('base64url'),
    verify: (purpose, text, signature) => {
      // As texts: base64url has several spellings of the same bytes, and only one of them was signed.
      const expected = Buffer.from(mac(purpose, text).toString('base64url'));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
