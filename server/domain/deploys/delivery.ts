import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What a delivery is known by when it comes again: its bytes. */
export function deliveryHash(body: Uint8Array): Uint8Array {
  return createHash('sha256').update('body:').update(body).digest();
}

/** The same together with the id that its host gave it. An id alone stands for nothing, since anybody can send it. */
export function namedDeliveryHash(bodyHash: Uint8Array, id: string): Uint8Array {
  return createHash('sha256').update('id:').update(bodyHash).update(id).digest();
}

/** Whether `signature` is the HMAC-SHA256 of the bytes in hex, compared in constant time. */
export function isSignedWith(secret: string, bytes: Uint8Array, signature: string): boolean {
  return isSameText(createHmac('sha256', secret).update(bytes).digest('hex'), signature.toLowerCase());
}

/** Compares secrets in constant time. Their lengths show. */
export function isSameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
