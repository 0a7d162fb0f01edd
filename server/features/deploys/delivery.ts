import { createHash, createHmac, hash, timingSafeEqual, type Hash } from 'node:crypto';

import { signedDeliveryToleranceMs } from './limits.ts';
import type { GitHost } from './deploy.ts';

/** Hashes the bytes of a delivery as they arrive. The digest identifies it. */
export function deliveryHasher(): Hash {
  return createHash('sha256').update('body:');
}

/**
 * Returns the hash that identifies a delivery by the id that its host gave it. A retry keeps the id, and no other push
 * has it.
 */
export function deliveryIdHash(host: GitHost, id: string): Uint8Array {
  return hash('sha256', `id:${host}:${id}`, 'buffer');
}

/** Checks the signature of bytes that are given to it as they arrive. */
export interface SignatureCheck {
  update(bytes: Uint8Array): void;
  /** Whether the signature is that of all the bytes. Compares in constant time. Call it once. */
  isRight(): boolean;
}

/** Checks an HMAC-SHA256 in hex. */
export function hexSignature(secret: string, signature: string): SignatureCheck {
  const hmac = createHmac('sha256', secret);
  return {
    update: (bytes) => void hmac.update(bytes),
    isRight: () => isSameText(hmac.digest('hex'), signature.toLowerCase()),
  };
}

/** GitLab's signing tokens: a prefix, and the key in base64. @see https://www.standardwebhooks.com */
const signingToken = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** Whether a secret is a signing token. Its signatures cover the time of the delivery too. */
export function isSigningToken(secret: string): boolean {
  return signingToken.test(secret);
}

/** Checks that one of the signatures is that of a delivery under a signing token. Each is `v1,` and base64. */
export function tokenSignature(
  secret: string,
  { id, timestamp, signatures }: { readonly id: string; readonly timestamp: string; readonly signatures: string },
): SignatureCheck {
  const [, key = ''] = signingToken.exec(secret) ?? [];
  const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.`);
  return {
    update: (bytes) => void hmac.update(bytes),
    isRight() {
      const expected = `v1,${hmac.digest('base64')}`;
      return signatures.split(' ').some((signature) => isSameText(expected, signature));
    },
  };
}

/**
 * Whether a signed delivery is recent, so that nobody can replay an old one.
 *
 * @param timestamp seconds since the epoch
 */
export function isFresh(timestamp: string, now: number): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= signedDeliveryToleranceMs;
}

/** Compares secrets in constant time. Only a difference of their lengths shows in the time. */
export function isSameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
