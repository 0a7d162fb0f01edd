import { encryptedBlobId } from '#server/domain/blob-id.ts';
import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import type { RawBlobStore } from '#server/domain/ports/blobs.ts';
import { EncryptedBlobs } from '#server/stores/encrypted/encrypted-blobs.ts';
import { keyEncryptionKey } from '#server/stores/encrypted/key-encryption-key.ts';
import { RootKeyRing } from '#server/stores/encrypted/root-key-ring.ts';
import { randomIds } from '#server/stores/system/ids.ts';

export const testRootId = 'root22';

/** Returns a ring with one root key, and the list that it reads. */
export async function testRing(): Promise<{ readonly ring: RootKeyRing; readonly roots: WrappedRoot[] }> {
  const key = keyEncryptionKey('a key of a test with 32 characters');
  const wrapped = key.wrap(testRootId, randomIds.rootKey());
  const roots = [{ rootId: testRootId, keyId: key.id, wrapped, madeAt: 1 }];
  const ring = new RootKeyRing(key, async () => roots);
  await ring.load();
  return { ring, roots };
}

/** Wraps a store, so that blobs with ids of {@link encryptedId} are encrypted. */
export async function encrypting(store: RawBlobStore): Promise<EncryptedBlobs> {
  return new EncryptedBlobs(store, (await testRing()).ring);
}

/** Returns the id of a new blob that is encrypted. */
export function encryptedId(): string {
  return encryptedBlobId(randomIds.opaqueId(), testRootId);
}
