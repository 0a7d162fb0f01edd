import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const blockBytes = 16;

/** Encrypts the variants of an installation that encrypts its files. A variant shows what its file does. */
export interface VariantCipher {
  /** Names the key without telling it. 16 hex digits. */
  readonly keyId: string;
  /** Returns a cipher for the bytes behind `at`. It encrypts and decrypts. */
  at(iv: Buffer, at: number): (bytes: Buffer) => Buffer;
}

export const ivBytes = blockBytes;

/** Returns the first counter of a file. No two files share a part of their keystream. */
export function newIv(): Buffer {
  return Buffer.concat([randomBytes(12), Buffer.alloc(4)]);
}

/** Leaves the bytes as they are. */
export const plainVariants: VariantCipher = { keyId: '0'.repeat(16), at: () => (bytes) => bytes };

/**
 * Encrypts with a key that follows from the key-encryption key, so that the cache is readable after a restart.
 *
 * In counter mode any part can be read alone. The cache can be made again at any time, so its bytes are not
 * authenticated.
 */
export function encryptedVariants(keyEncryptionKey: string): VariantCipher {
  const key = Buffer.from(hkdfSync('sha256', keyEncryptionKey, 'cubby', 'image-variants', 32));
  return {
    keyId: createHash('sha256').update('image-variants').update(key).digest('hex').slice(0, 16),
    at(iv, at) {
      const counter = Buffer.from(iv);
      counter.writeUInt32BE(Math.floor(at / blockBytes), blockBytes - 4);
      const cipher = createCipheriv('aes-256-ctr', key, counter);
      cipher.update(Buffer.alloc(at % blockBytes));
      return (bytes) => cipher.update(bytes);
    },
  };
}
