import { createCipheriv, createDecipheriv, randomBytes, type CipherKey } from 'node:crypto';

/**
 * AES-256-GCM with a random nonce (NIST SP 800-38D, section 8.2.2). One key seals few texts and keys, so no nonce
 * repeats under it.
 */
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts few bytes. They can be opened only with the same key and the same `boundTo`, such as an id. */
export function sealBytes(key: CipherKey, bytes: Uint8Array, boundTo: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()]);
}

/** Returns the bytes that were sealed with the same key and `boundTo`. Undefined for any others. */
export function openSealed(key: CipherKey, sealed: Uint8Array, boundTo: string): Buffer | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([opening.update(sealed.subarray(nonceBytes, -tagBytes)), opening.final()]);
  } catch {
    return undefined;
  }
}
