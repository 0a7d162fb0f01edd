import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { signedDeliveryToleranceMs } from '../limits.ts';
import type { GitHost } from './deploy.ts';

/** Returns the hash that identifies a delivery by its bytes. */
export function deliveryHash(body: Uint8Array): Uint8Array {
  return createHash('sha256').update('body:').update(body).digest();
}

/**
 * Returns the hash that identifies a delivery by the id that its host gave it. A retry keeps the id, and no other push
 * has it.
 */
export function deliveryIdHash(host: GitHost, id: string): Uint8Array {
  return createHash('sha256').update('id:').update(`${host}:${id}`).digest();
}

/** Whether `signature` is the HMAC-SHA256 of the bytes in hex. Compares in constant time. */
export function isSignedWith(secret: string, bytes: Uint8Array, signature: string): boolean {
  return isSameText(createHmac('sha256', secret).update(bytes).digest('hex'), signature.toLowerCase());
}

/** GitLab's signing tokens: a prefix, and the key in base64. @see https://www.standardwebhooks.com */
const signingToken = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** Whether a secret is a signing token. Its signatures cover the time of the delivery too. */
export function isSigningToken(secret: string): boolean {
  return signingToken.test(secret);
}

/** Whether one of the signatures is that of the delivery under a signing token. Each is `v1,` and base64. */
export function isSignedByToken(
  secret: string,
  {
    id,
    timestamp,
    bytes,
    signatures,
  }: { readonly id: string; readonly timestamp: string; readonly bytes: Uint8Array; readonly signatures: string },
): boolean {
  const [, key = ''] = signingToken.exec(secret) ?? [];
  const expected = `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.`).update(bytes).digest('base64')}`;
  return signatures.split(' ').some((signature) => isSameText(expected, signature));
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
