import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';

/** AES-256-GCM with a random nonce (NIST SP 800-38D, section 8.2.2). One key wraps few root keys. */
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Returns the key-encryption key of a secret text.
 *
 * @param secret at least 32 characters, as random as a key: it is not a password
 */
export function keyEncryptionKey(secret: string): KeyEncryptionKey {
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'cubby', purpose, bytes));
  const key = derive('key-encryption-key:wrap', 32);
  return {
    id: derive('key-encryption-key:id', 16).toString('hex'),
    wrap(rootId, root) {
      const nonce = randomBytes(nonceBytes);
      const wrapping = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(rootId));
      return Buffer.concat([nonce, wrapping.update(root), wrapping.final(), wrapping.getAuthTag()]);
    },
    unwrap(rootId, wrapped) {
      if (wrapped.length < nonceBytes + tagBytes) return undefined;
      const unwrapping = createDecipheriv(cipher, key, wrapped.subarray(0, nonceBytes), { authTagLength: tagBytes });
      unwrapping.setAAD(Buffer.from(rootId)).setAuthTag(wrapped.subarray(-tagBytes));
      try {
        return Buffer.concat([unwrapping.update(wrapped.subarray(nonceBytes, -tagBytes)), unwrapping.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
