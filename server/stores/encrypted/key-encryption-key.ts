import { hkdfSync } from 'node:crypto';

import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';
import { openSealed, sealBytes } from '../system/seal.ts';

/**
 * Returns the key-encryption key of a secret text.
 *
 * @param secret at least 32 characters, which must be random: a password is not enough
 */
export function keyEncryptionKey(secret: string): KeyEncryptionKey {
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'cubby', purpose, bytes));
  const key = derive('key-encryption-key:wrap', 32);
  return {
    id: derive('key-encryption-key:id', 16).toString('hex'),
    wrap: (rootId, root) => sealBytes(key, root, rootId),
    unwrap: (rootId, wrapped) => openSealed(key, wrapped, rootId),
  };
}
